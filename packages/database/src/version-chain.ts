// The hash chain over the versions of a sandbox: changing, dropping or reordering a version breaks every later hash.
import { createHash } from 'node:crypto';

export type ChainedVersion = {
  /** Hash of the version before in the same sandbox; null for the first one. */
  previousHash: Uint8Array | null;
  seq: number;
  sandboxId: string;
  kind: string;
  recordId: string;
  recordVersion: number;
  versionId: string;
  transactionId: string;
  operation: string;
  accountId: string;
  reason: string | null;
  issuedAt: Date;
  /** The stored text itself: another spelling of the same JSON has another hash. */
  snapshot: string;
};

/** First field of every hash, so that a later format can never be mistaken for this one. */
const FORMAT = 'muster-version-1';
const NULL_LENGTH = 0xffff_ffff_ffff_ffffn;

/**
 * SHA-256 (32 bytes) over these 14 fields in this order, each one as its length in bytes (unsigned, 64 bits,
 * big-endian) followed by the bytes; an absent field is the length 2^64-1 without bytes.
 *
 * 1. the text `muster-version-1`
 * 2. previous hash: the 32 bytes of the version before (absent for the first version of a sandbox)
 * 3. seq, 4. sandbox id, 5. kind, 6. record id, 7. record version, 8. version id, 9. transaction id,
 * 10. operation, 11. account id, 12. reason (may be absent)
 * 13. issued at: milliseconds since 1970-01-01T00:00:00Z
 * 14. snapshot: the stored text, unchanged
 *
 * Texts are UTF-8, numbers are decimal digits, UUIDs have 36 characters in lower case.
 */
export function hashVersion(version: ChainedVersion): Buffer {
  return createHash('sha256')
    .update(encode(listFields(version)))
    .digest();
}

/** One buffer for all fields: hashing is part of every edit, and its cost is in the number of small updates. */
function encode(fields: readonly (string | Uint8Array | null)[]): Buffer {
  const bytes = fields.map((field) => (typeof field === 'string' ? Buffer.from(field) : field));
  const size = bytes.reduce((sum, field) => sum + 8 + (field?.byteLength ?? 0), 0);
  const encoded = Buffer.allocUnsafe(size);
  let offset = 0;
  for (const field of bytes) {
    const length = field === null ? NULL_LENGTH : BigInt(field.byteLength);
    offset = encoded.writeBigUInt64BE(length, offset);
    if (!field) continue;
    encoded.set(field, offset);
    offset += field.byteLength;
  }
  return encoded;
}

function listFields(version: ChainedVersion): (string | Uint8Array | null)[] {
  return [
    FORMAT,
    version.previousHash,
    String(version.seq),
    version.sandboxId,
    version.kind,
    version.recordId,
    String(version.recordVersion),
    version.versionId,
    version.transactionId,
    version.operation,
    version.accountId,
    version.reason,
    String(version.issuedAt.getTime()),
    version.snapshot,
  ];
}
