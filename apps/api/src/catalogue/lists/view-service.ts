// Saved views of the lists of records: of one account, or shared by all who may view the sandbox.
import { NewRecordName, Uuid } from '@muster/contract';
import { z } from 'zod';
import type { Actor } from '../../platform/index.ts';
import { ServiceError } from '../../platform/index.ts';
import { requireWritable } from '../sandboxes/sandbox-rules.ts';
import type { ViewAccess, ViewRow, ViewStore } from './view-store.ts';

const Kind = z.enum(['item', 'xp']);
const Search = z
  .string()
  .max(8192)
  .regex(/^[\x21-\x7e]*$/, 'Must be the query of a URL: ASCII characters without spaces')
  .meta({
    description: 'The query of the list in the web app: filters, columns and sort.',
  });
const Shared = z.boolean().meta({ description: 'Everyone who may view the sandbox sees it.' });

export const ViewInputs = {
  list: z.object({ kind: Kind }),
  create: z.object({
    kind: Kind,
    name: NewRecordName,
    search: Search,
    shared: Shared.default(false),
  }),
  update: z.object({
    view_id: Uuid,
    name: NewRecordName.optional(),
    search: Search.optional(),
    shared: Shared.optional(),
  }),
  remove: z.object({ view_id: Uuid }),
};

export type ViewAnswer = {
  view_id: string;
  kind: ViewRow['kind'];
  name: string;
  owner_id: string;
  shared: boolean;
  search: string;
  /** RFC 3339. */
  updated: string;
};

type Input<Name extends keyof typeof ViewInputs> = { sandbox_id: string } & z.output<
  (typeof ViewInputs)[Name]
>;

/**
 * `mayShare`: shared views can only be made and changed with the permission to edit the sandbox. Errors of all:
 * sandbox_not_found. Of changes: sandbox_archived, view_not_found, insufficient_permissions, too_many_views.
 */
export type ViewService = {
  list(actor: Actor, input: Input<'list'>): Promise<{ views: ViewAnswer[] }>;
  create(actor: Actor, input: Input<'create'>, mayShare: boolean): Promise<ViewAnswer>;
  update(actor: Actor, input: Input<'update'>, mayShare: boolean): Promise<ViewAnswer>;
  remove(actor: Actor, input: Input<'remove'>, mayShare: boolean): Promise<{ removed: true }>;
};

/** Of each account in a sandbox, and as many shared ones. Concurrent calls may exceed it by a few. */
const MAX_VIEWS = 100;

type Sources = { now: () => Date; newId: () => string };

export const createViewService = (store: ViewStore, { now, newId }: Sources): ViewService => {
  /** Changes a view that the account may change. Only changes of shared views have an audit record. */
  const changeView = <T>(
    actor: Actor,
    { sandbox_id, view_id: viewId }: { sandbox_id: string; view_id: string },
    mayShare: boolean,
    work: (access: ViewAccess, current: ViewRow) => Promise<T>,
  ): Promise<T> =>
    store.inTransaction(sandbox_id, async (access, sandbox) => {
      requireWritable(sandbox);
      const current = await access.find(viewId);
      if (!current || (!current.shared && current.ownerId !== actor.accountId)) {
        throw new ServiceError('view_not_found');
      }
      if (current.shared) requireSharing(mayShare);
      return work(access, current);
    });

  return {
    async list({ accountId: ownerId }, { sandbox_id: sandboxId, kind }) {
      await store.inTransaction(sandboxId, async () => {});
      const found = await store.list({ sandboxId, kind, ownerId }, 2 * MAX_VIEWS);
      return { views: found.map(toViewAnswer) };
    },

    create: (actor, { sandbox_id, kind, name, search, shared }, mayShare) =>
      store.inTransaction(sandbox_id, async (access, sandbox) => {
        requireWritable(sandbox);
        if (shared) requireSharing(mayShare);
        await requireRoom(access, actor, shared);
        const times = { createdAt: now(), updatedAt: now() };
        const ownerId = actor.accountId;
        const made = await access.create({
          viewId: newId(),
          kind,
          name,
          ownerId,
          shared,
          search,
          ...times,
        });
        if (shared) {
          const target = toTarget(made);
          const entry = { action: 'views.create', target, after: { name, kind } };
          await access.audit(actor, entry, now());
        }
        return toViewAnswer(made);
      }),

    update: (actor, input, mayShare) =>
      changeView(actor, input, mayShare, async (access, current) => {
        const { view_id: viewId, name, search, shared = current.shared } = input;
        if (shared !== current.shared) {
          requireSharing(mayShare);
          await requireRoom(access, { accountId: current.ownerId }, shared);
        }
        const changed = await access.change(viewId, {
          ...(name !== undefined && { name }),
          ...(search !== undefined && { search }),
          shared,
          updatedAt: now(),
        });
        if (!changed) throw new ServiceError('view_not_found');
        if (shared || current.shared) {
          const entry = {
            action: 'views.update',
            target: toTarget(changed),
            before: toFacts(current),
            after: toFacts(changed),
          };
          await access.audit(actor, entry, now());
        }
        return toViewAnswer(changed);
      }),

    remove: (actor, input, mayShare) =>
      changeView(actor, input, mayShare, async (access, current) => {
        if (!(await access.remove(current.viewId))) throw new ServiceError('view_not_found');
        if (current.shared) {
          const target = toTarget(current);
          const entry = { action: 'views.remove', target, before: toFacts(current) };
          await access.audit(actor, entry, now());
        }
        return { removed: true as const };
      }),
  };
};

const toTarget = ({ sandboxId, viewId }: ViewRow) => ({ sandbox_id: sandboxId, view_id: viewId });

const toFacts = ({ name, shared, search }: ViewRow) => ({ name, shared, search });

const requireSharing = (mayShare: boolean): void => {
  if (mayShare) return;
  throw new ServiceError('insufficient_permissions', {
    desc: 'A shared view needs the permission to edit the sandbox.',
  });
};

const requireRoom = async (
  access: ViewAccess,
  { accountId }: Pick<Actor, 'accountId'>,
  shared: boolean,
): Promise<void> => {
  const count = shared ? await access.countShared() : await access.countOwn(accountId);
  if (count >= MAX_VIEWS) throw new ServiceError('too_many_views');
};

const toViewAnswer = (view: ViewRow): ViewAnswer => ({
  view_id: view.viewId,
  kind: view.kind,
  name: view.name,
  owner_id: view.ownerId,
  shared: view.shared,
  search: view.search,
  updated: view.updatedAt.toISOString(),
});
