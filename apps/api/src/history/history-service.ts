// One page of a walk: continue where the cursor says, within what the first page fixed.
import type { Walk, WalkState } from './cursor.ts';
import { decodeCursor, encodeCursor } from './cursor.ts';
import type { HistoryStore, VersionRow } from './history-store.ts';

export type HistoryRequest = Walk & { cursor: string; pageSize: number };

export type HistoryTransaction<R> = Omit<VersionRow, 'seq' | 'issued_at' | 'snapshot'> & {
  issued_at: string;
  version: R;
};

export type HistoryPage<R> = {
  transactions: HistoryTransaction<R>[];
  page_meta: { cursor?: string; page_size: number; total: number };
};

const START = '0';

/** Null when the cursor is not one of this walk. */
export const listHistory = async <R>(
  store: HistoryStore,
  { cursor, pageSize, ...walk }: HistoryRequest,
): Promise<HistoryPage<R> | null> => {
  const { sandboxId, kind, filter } = walk;
  const scope = { sandboxId, kind, filter };
  const state = cursor === START ? await startWalk(store, walk) : decodeCursor(walk, cursor);
  if (!state) return null;
  // One more than the page holds tells whether another one follows.
  const found = await store.readPage(scope, remainingRange(walk, state, pageSize + 1), state.total);
  const page = takeFitting(found.slice(0, pageSize));
  const last = found.length > page.length ? page.at(-1) : undefined;
  return {
    transactions: page.map((row) => toTransaction<R>(row)),
    page_meta: {
      ...(last && { cursor: encodeCursor(walk, { ...state, position: last.seq }) }),
      page_size: pageSize,
      total: state.total,
    },
  };
};

/** Stands just outside the walk, on the side where it begins. */
const startWalk = async (store: HistoryStore, walk: Walk): Promise<WalkState> => {
  const start = await store.startWalk(walk);
  return { ...start, position: walk.order === 'asc' ? 0 : start.asOf + 1 };
};

const remainingRange = ({ order }: Walk, { position, asOf }: WalkState, limit: number) =>
  order === 'asc'
    ? { order, low: position + 1, high: asOf, asOf, limit }
    : { order, low: 1, high: position - 1, asOf, limit };

type FittingRow = VersionRow & { snapshot: string };

/** A page may end before its size is reached, since its bytes are bounded too: the cursor says that more follow. */
const takeFitting = (rows: VersionRow[]): FittingRow[] => {
  const isFitting = (row: VersionRow): row is FittingRow => row.snapshot !== null;
  return rows.filter(isFitting);
};

/** Snapshots are written from validated fields only, so that reading one back needs no second validation. */
const toTransaction = <R>({
  seq: _,
  issued_at,
  snapshot,
  ...row
}: FittingRow): HistoryTransaction<R> => ({
  ...row,
  issued_at: issued_at.toISOString(),
  version: JSON.parse(snapshot),
});
