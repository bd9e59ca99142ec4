// Edits: what one transaction changed in a sandbox.
import { z } from 'zod';
import type { Catalogue } from '../catalogue/index.ts';
import { EditInputs } from '../catalogue/index.ts';
import { decodeCursor, encodeCursor, pageInput, toPageMeta } from './pagination.ts';
import { asActor, router, sandboxProcedure, viewProcedure as view } from './trpc.ts';

const Position = z.int().min(1);

export const createEditsRouter = ({ edits, changeSets }: Catalogue) =>
  router({
    list: view.input(z.object(pageInput)).query(async ({ input }) => {
      const { sandbox_id: sandboxId, cursor, page_size } = input;
      const page = await edits.list(sandboxId, decodeCursor(cursor, Position), page_size);
      const position = page.next === null ? null : encodeCursor(page.next);
      return { edits: page.edits, page_meta: toPageMeta(page_size, position) };
    }),

    revert: sandboxProcedure('sandbox:config:edit')
      .input(EditInputs.revert)
      .mutation(asActor(changeSets.revertEdit)),
  });
