import { runPrepared } from '@muster/database';
import { isUuid } from './history-filter.ts';
import type { HistoryScope, PageRange, Statement } from './history-statements.ts';
import {
  countNamesStatement,
  findLoneName,
  mergeStatement,
  pageStatement,
  scanStatement,
  startStatement,
} from './history-statements.ts';
import { canMergeAll, coversAll, findScanWindow } from './page-cost.ts';

/** A pool, or one connection of it. */
export type HistoryDatabase = { pool: Parameters<typeof runPrepared>[0] };

export type VersionRow = {
  seq: number;
  account_id: string;
  transaction_id: string;
  issued_at: Date;
  operation: 'insert' | 'update' | 'delete' | 'restore';
  version_id: string;
  version_name: string;
  /** Null for versions that the page has no room for: all from the first of them on. */
  snapshot: string | null;
};

/** What the first page of a walk fixes: the newest position, and how many versions match up to it. */
export type WalkStart = { asOf: number; total: number };

export type HistoryStore = {
  startWalk(scope: HistoryScope): Promise<WalkStart>;
  /** `total` is the walk's: it tells which way to a page is the short one. */
  readPage(scope: HistoryScope, range: PageRange, total: number): Promise<VersionRow[]>;
};

const NOTHING: WalkStart = { asOf: 0, total: 0 };

export const createHistoryStore = ({ pool }: HistoryDatabase): HistoryStore => {
  const run = <Row>({ values, ...statement }: Statement) =>
    runPrepared<Row>(pool, statement, values);
  const hasMoreNames = async (scope: HistoryScope, name: string, asOf: number, most: number) => {
    const count = countNamesStatement(scope, name, asOf, most + 1);
    const [found] = await run<{ names: number }>(count);
    return (found?.names ?? 0) > most;
  };
  /** Null where the window did not hold the page. */
  const scan = async (scope: HistoryScope, name: string, range: PageRange, window: number) => {
    const rows = await run<VersionRow>(scanStatement(scope, name, range, window));
    return rows.length === range.limit || coversAll(window, range) ? rows : null;
  };
  const scanIfShorter = async (scope: HistoryScope, range: PageRange, total: number) => {
    const window = findScanWindow(range, total);
    const name = findLoneName(scope.filter);
    if (window === null || name === null) return null;
    const isShorter = await hasMoreNames(scope, name, range.asOf, window);
    return isShorter ? scan(scope, name, range, window) : null;
  };
  return {
    async startWalk(scope) {
      const possible = withPossibleIds(scope);
      if (!possible) return NOTHING;
      const [start] = await run<WalkStart>(startStatement(possible));
      return start ?? NOTHING;
    },

    async readPage(scope, range, total) {
      const possible = withPossibleIds(scope);
      if (!possible || total === 0) return [];
      const scanned = await scanIfShorter(possible, range, total);
      if (scanned) return scanned;
      const isMerge = findLoneName(possible.filter) !== null && !canMergeAll(total);
      const statement = isMerge ? mergeStatement(possible, range) : pageStatement(possible, range);
      return run<VersionRow>(statement);
    },
  };
};

/** PostgreSQL refuses what is no UUID, where the interface says that it matches nothing. */
const withPossibleIds = (scope: HistoryScope): HistoryScope | null => {
  const recordIds = scope.filter.recordIds?.filter(isUuid);
  if (!recordIds) return scope;
  return recordIds.length === 0 ? null : { ...scope, filter: { ...scope.filter, recordIds } };
};
