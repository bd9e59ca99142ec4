import type { Database } from '@muster/database';
import { runPrepared } from '@muster/database';
import type { HistoryFilter } from './history-filter.ts';
import { isUuid } from './history-filter.ts';
import type { HistoryScope, PageRange, Statement } from './history-statements.ts';
import { pageStatement, scanStatement, startStatement } from './history-statements.ts';

export type HistoryDatabase = Pick<Database, 'pool'>;

export type VersionRow = {
  seq: number;
  account_id: string;
  transaction_id: string;
  issued_at: Date;
  operation: 'insert' | 'update' | 'delete' | 'restore';
  version_id: string;
  version_name: string;
  snapshot: string;
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
      const { foldedName } = possible.filter;
      const window = scanWindow(possible.filter, range, total);
      if (window !== null && foldedName !== undefined) {
        const scan = scanStatement(possible, foldedName, range, window);
        const rows = await run<VersionRow>(scan);
        if (rows.length === range.limit) return rows;
      }
      return run<VersionRow>(pageStatement(possible, range));
    },
  };
};

/** PostgreSQL refuses what is no UUID, where the interface says that it matches nothing. */
const withPossibleIds = (scope: HistoryScope): HistoryScope | null => {
  const recordIds = scope.filter.recordIds?.filter(isUuid);
  if (!recordIds) return scope;
  return recordIds.length === 0 ? null : { ...scope, filter: { ...scope.filter, recordIds } };
};

/** Reads this many times more than an even spread of the matches would need, before it is given up. */
const SCAN_MARGIN = 4;

/**
 * How many versions to scan for a page of a name that many records have; null where asking each record is the
 * shorter way. Either way the cost depends on the question, not on how deep the page is.
 */
const scanWindow = (filter: HistoryFilter, { limit, asOf }: PageRange, total: number) => {
  if (filter.foldedName === undefined || filter.recordIds || filter.legacyIds) return null;
  const window = Math.ceil((SCAN_MARGIN * limit * asOf) / total);
  return window <= 20_000 + 100 * limit ? window : null;
};
