// Schemas of item types.
import { ItemType } from '@muster/contract';
import { z } from 'zod';
import type { Catalogue } from '../catalogue/index.ts';
import { ItemSchemaInputs } from '../catalogue/index.ts';
import { decodeCursor, encodeCursor, pageInput, toPageMeta } from './pagination.ts';
import { asActor, router, sandboxProcedure, viewProcedure as view, withSource } from './trpc.ts';

const edit = sandboxProcedure('sandbox:config:edit');

const VersionPosition = z.int().min(1).max(2_147_483_647);
const ItemPosition = z.guid();

/** A version has up to 64 KiB. */
const HistoryPage = { ...pageInput, page_size: z.int().min(1).max(50).default(20) };

const ProblemsInput = z.object({
  item_type: ItemType.optional().meta({ description: 'Absent: Items of every type.' }),
  ...pageInput,
});

export const createItemSchemasRouter = ({ itemSchemas }: Catalogue) =>
  router({
    list: view.query(({ input }) => itemSchemas.list(input)),
    get: view.input(ItemSchemaInputs.get).query(({ input }) => itemSchemas.get(input)),
    set: edit.input(ItemSchemaInputs.set).mutation(asActor(itemSchemas.set)),
    promote: withSource(edit)
      .input(ItemSchemaInputs.promote)
      .mutation(({ ctx, input }) => itemSchemas.promote(ctx.actor, input)),

    history: view
      .input(ItemSchemaInputs.get.extend(HistoryPage))
      .query(async ({ input: { cursor, page_size, ...input } }) => {
        const before = decodeCursor(cursor, VersionPosition);
        const { versions, next } = await itemSchemas.history(input, before, page_size);
        const position = next === null ? null : encodeCursor(next);
        return { versions, page_meta: toPageMeta(page_size, position) };
      }),

    problems: view.input(ProblemsInput).query(async ({ input, signal }) => {
      const { cursor, page_size, ...filter } = input;
      const after = decodeCursor(cursor, ItemPosition);
      const { items, next } = await itemSchemas.problems(filter, after, page_size, signal);
      return { items, page_meta: toPageMeta(page_size, next && encodeCursor(next)) };
    }),
  });
