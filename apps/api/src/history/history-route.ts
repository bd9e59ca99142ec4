import type { contract, Item, ItemHistoryQuery, Xp, XpHistoryQuery } from '@muster/contract';
import { permits, READ_HISTORY } from '@muster/contract';
import type { AppRouteImplementation } from '@ts-rest/express';
import type { Response } from 'express';
import type { Caller } from '../auth/index.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { DatabaseWatch } from '../outage/index.ts';
import { unguarded } from '../outage/index.ts';
import { normaliseFilter } from './history-filter.ts';
import type { HistoryPage, HistoryRequest } from './history-service.ts';
import { listHistory } from './history-service.ts';
import type { HistoryDatabase } from './history-store.ts';
import { createHistoryStore } from './history-store.ts';
import type { ReplicaOptions } from './replica-store.ts';
import { createReplicaStore } from './replica-store.ts';

export type HistoryRouteOptions = {
  database: HistoryDatabase;
  /** Where pages are read that it has; without it, all from the database. */
  replica?: ReplicaOptions;
  /** `public` opens the histories to everyone, without a credential. */
  access: 'authenticated' | 'public';
  /** Ends the wait for a database that is away; without it, each page waits for its own deadline. */
  guard?: DatabaseWatch['guard'];
};

export type HistoryRoutes = {
  listItemHistory: AppRouteImplementation<typeof contract.listItemHistory>;
  listXpHistory: AppRouteImplementation<typeof contract.listXpHistory>;
};

export const createHistoryRoutes = ({
  database,
  access,
  guard = unguarded,
  replica,
}: HistoryRouteOptions): HistoryRoutes => {
  const primary = createHistoryStore(database);
  const store = replica ? createReplicaStore(primary, replica) : primary;
  const list = async <R>(response: Response, request: HistoryRequest) => {
    if (access !== 'public') requireReader(response, request.sandboxId);
    return toResponse(await guard(() => listHistory<R>(store, request)));
  };
  return {
    listItemHistory: ({ params, query, res }) => {
      const { item_ids: recordIds, legacy_item_ids: legacyIds, name } = query;
      const filter = normaliseFilter({ recordIds, legacyIds, name });
      const walk = { kind: 'item' as const, sandboxId: params.sandbox_id, filter };
      return list<Item>(res, { ...walk, ...readPaging(query) });
    },
    listXpHistory: ({ params, query, res }) => {
      const { xp_ids: recordIds, legacy_xp_ids: legacyIds, name } = query;
      const filter = normaliseFilter({ recordIds, legacyIds, name });
      const walk = { kind: 'xp' as const, sandboxId: params.sandbox_id, filter };
      return list<Xp>(res, { ...walk, ...readPaging(query) });
    },
  };
};

const readPaging = (query: ItemHistoryQuery | XpHistoryQuery) => ({
  order: query.sort_order,
  cursor: query.cursor,
  pageSize: query.page_size,
});

/** The front door has verified the credential; what it permits depends on the sandbox, hence here. */
const requireReader = ({ locals }: Response, sandboxId: string) => {
  const caller = locals.caller as Caller | null;
  if (!caller) throw new ServiceError('auth_missing');
  if (!permits(caller.permissions, READ_HISTORY, sandboxId)) {
    throw new ServiceError('insufficient_permissions');
  }
};

const CURSOR_PROBLEM = {
  loc: ['query', 'cursor'],
  msg: 'Must be 0 or a cursor that this sandbox, sort order and filters gave',
  type: 'value_error.cursor',
};

const toResponse = <R>(page: HistoryPage<R> | null) =>
  page
    ? { status: 200 as const, body: page }
    : { status: 422 as const, body: { detail: [CURSOR_PROBLEM] } };
