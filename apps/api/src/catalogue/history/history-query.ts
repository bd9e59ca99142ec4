// The query of a page of a public history: its filter in normal form, and the opaque cursor that belongs to it.
import { createHash } from 'node:crypto';
import type { SortOrder } from '../pagination.ts';
import { foldName } from '../records/record.ts';

/** Absent filters match everything. Filters combine with AND, ids within one with OR. Ids are sorted and unique. */
export type HistoryFilter = {
  /** Lower case. Ids that are no UUID match nothing. */
  recordIds?: readonly string[];
  legacyIds?: readonly number[];
  /** Contained in any name that the record has ever had; never empty. */
  foldedName?: string;
};

export type HistoryScope = { sandboxId: string; kind: 'item' | 'xp'; filter: HistoryFilter };

/** A cursor only continues this query. */
export type HistoryQuery = HistoryScope & { order: SortOrder };

/** Equal filters have one spelling, so cursors stay valid with another order of ids or another case of the name. */
export const normaliseFilter = (filter: {
  recordIds: readonly string[] | undefined;
  legacyIds: readonly number[] | undefined;
  name: string | undefined;
}): HistoryFilter => ({
  ...(filter.recordIds && { recordIds: [...new Set(filter.recordIds)].sort() }),
  ...(filter.legacyIds && {
    legacyIds: [...new Set(filter.legacyIds)].sort((left, right) => left - right),
  }),
  ...(filter.name && { foldedName: foldName(filter.name) }),
});

export type HistoryPosition = {
  /** Of the last returned version. */
  position: number;
  /** The newest position at the first page: the history ends there. */
  asOf: number;
  /** The number of matching versions up to `asOf`. */
  total: number;
};

/** Cursors never expire: a later format gets another number and this one stays readable. */
const FORMAT = 1;
const HEADER_BYTES = 1 + 3 * 8;
const DIGEST_BYTES = 16;

/** 55 characters of base64url (RFC 4648, section 5): format, position, as-of, total, digest. */
export const encodeCursor = (query: HistoryQuery, state: HistoryPosition): string => {
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt8(FORMAT, 0);
  [state.position, state.asOf, state.total].forEach((value, index) => {
    header.writeBigUInt64BE(BigInt(value), 1 + 8 * index);
  });
  return Buffer.concat([header, digest(query, header)]).toString('base64url');
};

/** Null for a cursor that was changed, cut, or made for another kind, sandbox, order or filter. */
export const decodeCursor = (query: HistoryQuery, cursor: string): HistoryPosition | null => {
  const bytes = Buffer.from(cursor, 'base64url');
  // Decoding skips characters that are not base64url, so only the original spelling is valid.
  if (bytes.length !== HEADER_BYTES + DIGEST_BYTES || bytes.toString('base64url') !== cursor) {
    return null;
  }
  const header = bytes.subarray(0, HEADER_BYTES);
  if (header[0] !== FORMAT || !digest(query, header).equals(bytes.subarray(HEADER_BYTES))) {
    return null;
  }
  const [position = 0, asOf = 0, total = 0] = [1, 9, 17].map((at) =>
    Number(header.readBigUInt64BE(at)),
  );
  // A forged cursor may have a correct digest and numbers that exceed every sandbox and BIGINT.
  const isWhole = [position, asOf, total].every((value) => Number.isSafeInteger(value));
  return isWhole ? { position, asOf, total } : null;
};

/**
 * Detects mistakes; it is neither a secret nor a protection. A forged cursor reveals nothing beyond the history. JSON
 * separates the fields, so that different queries never have the same text.
 */
const digest = ({ kind, sandboxId, order, filter }: HistoryQuery, header: Buffer): Buffer => {
  const { recordIds = null, legacyIds = null, foldedName = null } = filter;
  const query = JSON.stringify([kind, sandboxId, order, recordIds, legacyIds, foldedName]);
  return createHash('sha256').update(header).update(query).digest().subarray(0, DIGEST_BYTES);
};
