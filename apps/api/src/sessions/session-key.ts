// The keys that the aggregate and its routes are stored under: digests, so that they shard evenly.

import { hash } from 'node:crypto';
import type { Platform } from '@muster/contract';
import { canonicalPlatformSessionId } from '@muster/contract';

/**
 * The key of a session: SHA-256 of (type, session_id) in the layout of UUID version 8 (RFC 9562
 * section 5.8). The length in front of the type keeps ("ab", "c") and ("a", "bc") apart.
 */
export const sessionKeyOf = (type: string, sessionId: string): string => {
  const prefix = `${Buffer.byteLength(type)}:${type}:`;
  const bytes = hash('sha256', `${prefix}${sessionId}`, 'buffer').subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString('hex');
  return [8, 12, 16, 20].reduceRight((id, at) => `${id.slice(0, at)}-${id.slice(at)}`, hex);
};

/** The digest that names a platform session in all four spellings of its id, as lower-case hex. */
export const platformSessionDigest = (platform: Platform, idBase64: string): string =>
  hash('sha256', `${platform}:${canonicalPlatformSessionId(idBase64)}`, 'hex');
