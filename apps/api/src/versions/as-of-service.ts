// The records of a sandbox as they were at one position, whoever writes meanwhile.
import type { HistoryOperation, Item, Xp } from '@muster/contract';
import { foldName, toContainsPattern } from '../catalogue/index.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { AsOf, AsOfRow, AsOfStore } from './as-of-store.ts';

export type AsOfRecord = {
  record: Item | Xp;
  version: number;
  version_id: string;
  operation: HistoryOperation;
};

export type AsOfRequest = {
  sandboxId: string;
  kind: 'item' | 'xp';
  /** Of the two at most one; neither is now. */
  at: Date | undefined;
  seq: number | undefined;
  name: string | undefined;
  /** Where a page ended, at the position of the first page. */
  after: { seq: number; recordId: string } | null;
  pageSize: number;
};

export type AsOfPage = {
  records: AsOfRecord[];
  as_of: { seq: number; issued_at?: string };
  /** Null on the last page. */
  next: { seq: number; recordId: string } | null;
};

export type AsOfService = {
  /** In the order of the ids, without those that were deleted then. Errors: sandbox_not_found. */
  list(request: AsOfRequest): Promise<AsOfPage>;
};

export const createAsOfService = (store: AsOfStore): AsOfService => ({
  async list({ sandboxId, kind, at, seq, name, after, pageSize }) {
    const moment = after ? { seq: after.seq } : { at, seq };
    const asOf = await store.findPosition(sandboxId, moment);
    if (!asOf) throw new ServiceError('sandbox_not_found');
    const question = { sandboxId, kind, asOf };
    const found = await collect(store, question, name, after?.recordId ?? null, pageSize + 1);
    const page = found.slice(0, pageSize);
    const last = found.length > pageSize ? page.at(-1) : undefined;
    return {
      records: page.map(toAnswer),
      as_of: toAsOf(asOf),
      next: last ? { seq: asOf.seq, recordId: last.record_id } : null,
    };
  },
});

type Question = { sandboxId: string; kind: 'item' | 'xp'; asOf: AsOf };

/** The database knows which records ever had such a name; whether they had it then is in the version. */
const collect = async (
  store: AsOfStore,
  question: Question,
  name: string | undefined,
  start: string | null,
  wanted: number,
): Promise<AsOfRow[]> => {
  const folded = foldName(name ?? '');
  const pattern = toContainsPattern(folded);
  const matches: AsOfRow[] = [];
  let after = start;
  while (matches.length < wanted) {
    const rows = await store.read({ ...question, after, pattern, limit: wanted });
    matches.push(...rows.filter((row) => foldName(row.name).includes(folded)));
    const last = rows.at(-1);
    if (!last || rows.length < wanted) break;
    after = last.record_id;
  }
  return matches.slice(0, wanted);
};

const toAsOf = ({ seq, issuedAt }: AsOf) => ({
  seq,
  ...(issuedAt && { issued_at: issuedAt.toISOString() }),
});

const toAnswer = ({ version, version_id, operation, snapshot }: AsOfRow): AsOfRecord => ({
  record: JSON.parse(snapshot),
  version,
  version_id,
  operation,
});
