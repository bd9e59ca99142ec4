// Items and Xp tables: edited singly or in bulk, listed, and read as of a time.
import { DateTimeInput, text, Uuid } from '@muster/contract';
import { z } from 'zod';
import type { Catalogue, Reader } from '../catalogue/index.ts';
import { ItemInputs, XpInputs } from '../catalogue/index.ts';
import { decodeCursor, encodeCursor, pageInput, toPageMeta } from './pagination.ts';
import { asSandboxAuthority, router, sandboxProcedure, viewProcedure as view } from './trpc.ts';

const edit = sandboxProcedure('sandbox:config:edit');

export const createItemsRouter = ({ items }: Catalogue) =>
  router({
    create: edit.input(ItemInputs.create).mutation(asSandboxAuthority(items.create)),
    update: edit.input(ItemInputs.update).mutation(asSandboxAuthority(items.update)),
    delete: edit.input(ItemInputs.delete).mutation(asSandboxAuthority(items.delete)),
    restore: edit.input(ItemInputs.restore).mutation(asSandboxAuthority(items.restore)),
    bulk: edit.input(ItemInputs.bulk).mutation(asSandboxAuthority(items.bulk)),
    get: view.input(ItemInputs.get).query(({ input }) => items.get(input)),
    list: view.input(ItemInputs.list).query(({ input }) => items.list(input)),
  });

export const createXpRouter = ({ xp }: Catalogue) =>
  router({
    create: edit.input(XpInputs.create).mutation(asSandboxAuthority(xp.create)),
    update: edit.input(XpInputs.update).mutation(asSandboxAuthority(xp.update)),
    delete: edit.input(XpInputs.delete).mutation(asSandboxAuthority(xp.delete)),
    restore: edit.input(XpInputs.restore).mutation(asSandboxAuthority(xp.restore)),
    bulk: edit.input(XpInputs.bulk).mutation(asSandboxAuthority(xp.bulk)),
    get: view.input(XpInputs.get).query(({ input }) => xp.get(input)),
    list: view.input(XpInputs.list).query(({ input }) => xp.list(input)),
  });

const AsOfInput = z
  .object({
    kind: z.enum(['item', 'xp']),
    at: DateTimeInput.optional(),
    seq: z.int().min(0).optional(),
    name: text(0, 256).optional().meta({ description: 'Contained in its name at that time.' }),
    ...pageInput,
  })
  .refine(({ at, seq }) => at === undefined || seq === undefined, {
    message: 'Either at or seq, not both',
    path: ['seq'],
  });

const AsOfPosition = z
  .tuple([z.int().min(0), Uuid])
  .transform(([seq, recordId]) => ({ seq, recordId }));

export const createRecordsRouter = (reader: Reader) =>
  router({
    asOf: view.input(AsOfInput).query(async ({ input }) => {
      const { sandbox_id: sandboxId, kind, at, seq, name, cursor, page_size } = input;
      const { records, as_of, next } = await reader.listAsOf({
        sandboxId,
        kind,
        seq,
        name,
        pageSize: page_size,
        at: at === undefined ? undefined : new Date(at),
        after: decodeCursor(cursor, AsOfPosition),
      });
      const position = next && encodeCursor([next.seq, next.recordId]);
      return { records, as_of, page_meta: toPageMeta(page_size, position) };
    }),
  });
