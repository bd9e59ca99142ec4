import type { Database } from '@muster/database';
import { runPrepared } from '@muster/database';
import type { Difference } from './compare-statements.ts';
import { COUNT_STATUSES, pageStatement, READ_SOURCE } from './compare-statements.ts';

export type Pair = { target: string; source: string; kind: 'item' | 'xp' };

export type StatusCounts = Record<Difference | 'same', number>;

/** Where a page ended, and what the first one counted. */
export type ComparePosition = { recordId: string; counts: StatusCounts };

/** What a side lacks is null. */
export type ComparedRow = {
  record_id: string;
  status: Difference;
  source_snapshot: string | null;
  source_version: number | null;
  source_version_id: string | null;
  target_snapshot: string | null;
  target_version: number | null;
  target_version_id: string | null;
};

export type SourceRecord = { recordId: string; name: string; deleted: boolean; snapshot: string };

export type CompareStore = {
  /** How many of these sandboxes there are. */
  countSandboxes(sandboxIds: string[]): Promise<number>;
  countStatuses(pair: Pair): Promise<StatusCounts>;
  /** Records that are not the same, in the order of their ids. */
  readPage(
    pair: Pair,
    status: Difference | undefined,
    after: string | null,
    limit: number,
  ): Promise<ComparedRow[]>;
  /** Deleted ones too. Null when there is no such sandbox. */
  readSource(
    sandboxId: string,
    kind: 'item' | 'xp',
    recordIds: string[],
  ): Promise<{ headSeq: number; records: Map<string, SourceRecord> } | null>;
};

const NO_COUNTS: StatusCounts = { only_source: 0, only_target: 0, different: 0, same: 0 };

export const createCompareStore = ({ pool }: Pick<Database, 'pool'>): CompareStore => {
  /** Without a name it is planned for its values: two small sandboxes and two large ones are two questions. */
  const run = <Row>(text: string, values: unknown[]) =>
    runPrepared<Row>(pool, { name: '', text }, values);
  return {
    async countSandboxes(sandboxIds) {
      const text = 'SELECT count(*) AS count FROM sandbox WHERE sandbox_id = ANY ($1::uuid[])';
      const [row] = await run<{ count: number }>(text, [sandboxIds]);
      return row?.count ?? 0;
    },

    async countStatuses({ target, source, kind }) {
      type Row = { status: keyof StatusCounts; count: number };
      const rows = await run<Row>(COUNT_STATUSES, [target, source, kind]);
      const counts = Object.fromEntries(rows.map(({ status, count }) => [status, count]));
      return { ...NO_COUNTS, ...counts };
    },

    readPage: ({ target, source, kind }, status, after, limit) =>
      run<ComparedRow>(
        pageStatement(status, after),
        [target, source, kind, limit, after].filter((value) => value !== null),
      ),

    async readSource(sandboxId, kind, recordIds) {
      type Row = { headSeq: number } & (SourceRecord | { recordId: null });
      const rows = await run<Row>(READ_SOURCE, [sandboxId, kind, recordIds]);
      const [first] = rows;
      if (!first) return null;
      const records = rows.flatMap((row) => (row.recordId === null ? [] : [row]));
      return {
        headSeq: first.headSeq,
        records: new Map(records.map((record) => [record.recordId, record])),
      };
    },
  };
};
