// Change sets: plans of changes that are applied together.
import { z } from 'zod';
import type { Catalogue } from '../catalogue/index.ts';
import { ChangeSetInputs, ReviewInputs } from '../catalogue/index.ts';
import { ServiceError } from '../platform/index.ts';
import { decodeCursor, encodeCursor, Milliseconds, pageInput, toPageMeta } from './pagination.ts';
import {
  asActor,
  asSandboxAuthority,
  router,
  sandboxProcedure,
  viewProcedure as view,
  withSource,
} from './trpc.ts';

const edit = sandboxProcedure('sandbox:config:edit');

/** A key or a token is not a person, whatever permissions it has. */
const approve = sandboxProcedure('sandbox:config:approve').use(({ ctx, next }) => {
  if (ctx.caller.person) return next();
  const desc = 'Only a person who is signed in can approve or reject a change set.';
  throw new ServiceError('insufficient_permissions', { desc });
});

/** The permissions of a signed token cannot be read again when the set is applied. */
const NO_ACCOUNT = 'Only a person or an API key can schedule a change set.';

const ListPosition = z
  .tuple([Milliseconds, z.guid()])
  .transform(([updatedAt, changeSetId]) => ({ updatedAt: new Date(updatedAt), changeSetId }));

export const createChangeSetsRouter = ({ changeSets }: Catalogue) =>
  router({
    create: edit.input(ChangeSetInputs.create).mutation(asActor(changeSets.create)),
    get: view.input(ChangeSetInputs.get).query(({ input }) => changeSets.get(input)),
    list: view.input(ChangeSetInputs.list.extend(pageInput)).query(async ({ input }) => {
      const after = decodeCursor(input.cursor, ListPosition);
      const { change_sets, next } = await changeSets.list(input, after, input.page_size);
      const position = next && encodeCursor([next.updatedAt.getTime(), next.changeSetId]);
      return { change_sets, page_meta: toPageMeta(input.page_size, position) };
    }),
    update: edit.input(ChangeSetInputs.update).mutation(asActor(changeSets.update)),
    addOperations: edit
      .input(ChangeSetInputs.addOperations)
      .mutation(asActor(changeSets.addOperations)),
    addMatching: edit.input(ChangeSetInputs.addMatching).mutation(asActor(changeSets.addMatching)),
    removeOperations: edit
      .input(ChangeSetInputs.removeOperations)
      .mutation(asActor(changeSets.removeOperations)),
    cancel: edit.input(ChangeSetInputs.cancel).mutation(asActor(changeSets.cancel)),
    restorePast: edit.input(ChangeSetInputs.restorePast).mutation(asActor(changeSets.restorePast)),
    promote: withSource(edit)
      .input(ChangeSetInputs.promote)
      .mutation(({ ctx, input, signal }) => changeSets.promote(ctx.actor, input, signal)),
    preview: view
      .input(ChangeSetInputs.preview.extend(pageInput))
      .query(async ({ ctx, input, signal }) => {
        const after = decodeCursor(input.cursor, z.int().min(0));
        const { next, ...page } = await changeSets.preview(
          ctx.actor,
          input,
          after,
          input.page_size,
          signal,
        );
        const position = next === null ? null : encodeCursor(next);
        return { ...page, page_meta: toPageMeta(input.page_size, position) };
      }),
    schedule: edit.input(ChangeSetInputs.schedule).mutation((call) => {
      const { person, key } = call.ctx.caller;
      if (!person && !key) throw new ServiceError('insufficient_permissions', { desc: NO_ACCOUNT });
      return asSandboxAuthority(changeSets.schedule)(call);
    }),
    unschedule: edit.input(ChangeSetInputs.unschedule).mutation(asActor(changeSets.unschedule)),
    acknowledge: edit.input(ChangeSetInputs.acknowledge).mutation(asActor(changeSets.acknowledge)),
    revert: edit.input(ChangeSetInputs.revert).mutation(asActor(changeSets.revert)),
    submit: edit.input(ReviewInputs.submit).mutation(asActor(changeSets.submit)),
    approve: approve.input(ReviewInputs.approve).mutation(asActor(changeSets.approve)),
    reject: approve.input(ReviewInputs.reject).mutation(asActor(changeSets.reject)),
    comment: sandboxProcedure('sandbox:config:edit', 'sandbox:config:approve')
      .input(ReviewInputs.comment)
      .mutation(asActor(changeSets.comment)),
    comments: view.input(ReviewInputs.comments.extend(pageInput)).query(async ({ input }) => {
      const after = decodeCursor(input.cursor, z.guid());
      const { comments, next } = await changeSets.comments(input, after, input.page_size);
      const position = next === null ? null : encodeCursor(next);
      return { comments, page_meta: toPageMeta(input.page_size, position) };
    }),
  });

/** Not in the router above: tRPC reserves the key `apply` there. */
export const createApplyProcedure = ({ changeSets }: Catalogue) =>
  edit.input(ChangeSetInputs.apply).mutation((call) => {
    if (call.input.bypass_reason !== undefined && !call.ctx.caller.person) {
      const desc = 'Only an owner who is signed in can bypass a review.';
      throw new ServiceError('insufficient_permissions', { desc });
    }
    return asSandboxAuthority(changeSets.apply)(call);
  });
