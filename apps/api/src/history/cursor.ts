// The opaque cursor of a walk: where it is, what it covers, and a digest that ties it to its question.
import { createHash } from 'node:crypto';
import type { HistoryFilter, SortOrder } from './history-filter.ts';

/** The question that a cursor belongs to: it continues this walk and no other. */
export type Walk = {
  kind: 'item' | 'xp';
  sandboxId: string;
  order: SortOrder;
  filter: HistoryFilter;
};

/** Positions and counts are sequence numbers of one sandbox. */
export type WalkState = {
  /** Position of the last version that was given out. */
  position: number;
  /** The newest position when the walk began; the walk ends there. */
  asOf: number;
  /** Number of versions that match up to `asOf`. */
  total: number;
};

/** Cursors never expire: a later format gets another number and this one stays readable. */
const FORMAT = 1;
const HEADER_BYTES = 1 + 3 * 8;
const DIGEST_BYTES = 16;

/** 55 characters of base64url (RFC 4648, section 5): format, position, as-of, total, digest. */
export const encodeCursor = (walk: Walk, state: WalkState): string => {
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt8(FORMAT, 0);
  [state.position, state.asOf, state.total].forEach((value, index) => {
    header.writeBigUInt64BE(BigInt(value), 1 + 8 * index);
  });
  return Buffer.concat([header, digest(walk, header)]).toString('base64url');
};

/** Null for what was altered, cut, or given for another kind, sandbox, order or filter. */
export const decodeCursor = (walk: Walk, cursor: string): WalkState | null => {
  const bytes = Buffer.from(cursor, 'base64url');
  // Decoding skips what is no base64url; only the spelling that was given out is one.
  if (bytes.length !== HEADER_BYTES + DIGEST_BYTES || bytes.toString('base64url') !== cursor) {
    return null;
  }
  const header = bytes.subarray(0, HEADER_BYTES);
  if (header[0] !== FORMAT || !digest(walk, header).equals(bytes.subarray(HEADER_BYTES))) {
    return null;
  }
  const [position = 0, asOf = 0, total = 0] = [1, 9, 17].map((at) =>
    Number(header.readBigUInt64BE(at)),
  );
  // A made-up cursor may carry a right digest and numbers that no sandbox has and no BIGINT holds.
  const isWhole = [position, asOf, total].every((value) => Number.isSafeInteger(value));
  return isWhole ? { position, asOf, total } : null;
};

/**
 * Not a secret and no protection: it shows mistakes. Whoever makes up a cursor sees nothing that a walk would not
 * show. JSON separates the fields, so that no two questions are spelled alike.
 */
const digest = ({ kind, sandboxId, order, filter }: Walk, header: Buffer): Buffer => {
  const { recordIds = null, legacyIds = null, foldedName = null } = filter;
  const question = JSON.stringify([kind, sandboxId, order, recordIds, legacyIds, foldedName]);
  return createHash('sha256').update(header).update(question).digest().subarray(0, DIGEST_BYTES);
};
