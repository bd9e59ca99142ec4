// The two public histories: Items and Xp tables differ in the names of their parameters only.
import type { contract, Item, ItemHistoryQuery, Xp, XpHistoryQuery } from '@muster/contract';
import { permits, READ_HISTORY } from '@muster/contract';
import type { AppRouteImplementation } from '@ts-rest/express';
import type { Response } from 'express';
import type { Caller } from '../../auth/index.ts';
import type { CircuitBreaker } from '../../flow/index.ts';
import { ServiceError } from '../../platform/index.ts';
import { normaliseFilter } from './history-query.ts';
import type { Reader } from './history-reader.ts';

export type HistoryRouteOptions = {
  reader: Pick<Reader, 'listHistory'>;
  /** `public` opens the histories to everyone, without a credential. */
  access: 'authenticated' | 'public';
  /** Rejects at once during an outage of the database. */
  breaker: Pick<CircuitBreaker, 'run'>;
};

export type HistoryRoutes = {
  listItemHistory: AppRouteImplementation<typeof contract.listItemHistory>;
  listXpHistory: AppRouteImplementation<typeof contract.listXpHistory>;
};

type HistoryCall = {
  params: { sandbox_id: string };
  query: ItemHistoryQuery | XpHistoryQuery;
  res: Response;
};

export const createHistoryRoutes = ({
  reader,
  access,
  breaker,
}: HistoryRouteOptions): HistoryRoutes => {
  const listHistory =
    <R>(kind: 'item' | 'xp') =>
    async ({ params: { sandbox_id: sandboxId }, query, res }: HistoryCall) => {
      if (access !== 'public') requireReader(res, sandboxId);
      const { sort_order: order, cursor, page_size: pageSize } = query;
      const request = { sandboxId, kind, filter: readFilter(query), order, cursor, pageSize };
      const page = await breaker.run(() => reader.listHistory<R>(request));
      return page
        ? { status: 200 as const, body: page }
        : { status: 422 as const, body: { detail: [CURSOR_PROBLEM] } };
    };
  return { listItemHistory: listHistory<Item>('item'), listXpHistory: listHistory<Xp>('xp') };
};

const readFilter = (query: Partial<ItemHistoryQuery & XpHistoryQuery>) =>
  normaliseFilter({
    recordIds: query.item_ids ?? query.xp_ids,
    legacyIds: query.legacy_item_ids ?? query.legacy_xp_ids,
    name: query.name,
  });

/** The credential has been verified; what it permits depends on the sandbox, hence here. */
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
