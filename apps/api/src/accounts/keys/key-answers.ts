// Service accounts and keys as the admin API shows them.
import type { ServiceAccountRow, ServiceKeyRow } from './key-store.ts';

export type KeyAnswer = {
  key_id: string;
  name: string;
  /** The beginning of the key. */
  prefix: string;
  permissions: string[];
  sandbox_ids?: string[];
  created: string;
  expires?: string;
  /** To the minute. */
  last_used?: string;
  /** When it was revoked. */
  revoked?: string;
};

export type ServiceAccountAnswer = {
  account_id: string;
  name: string;
  created: string;
  keys: KeyAnswer[];
  /** How many more there are that reach further than the caller does; absent when there are none. */
  hidden_keys?: number;
};

export const toKeyAnswer = (row: ServiceKeyRow): KeyAnswer => ({
  key_id: row.keyId,
  name: row.name,
  prefix: row.prefix,
  permissions: row.permissions,
  ...(row.sandboxIds.length > 0 && { sandbox_ids: row.sandboxIds }),
  created: row.createdAt.toISOString(),
  ...(row.expiresAt && { expires: row.expiresAt.toISOString() }),
  ...(row.lastUsedAt && { last_used: row.lastUsedAt.toISOString() }),
  ...(row.revokedAt && { revoked: row.revokedAt.toISOString() }),
});

export const toServiceAccountAnswer = (
  row: ServiceAccountRow,
  shown: readonly ServiceKeyRow[],
): ServiceAccountAnswer => ({
  account_id: row.accountId,
  name: row.name,
  created: row.createdAt.toISOString(),
  keys: shown.map(toKeyAnswer),
  ...(shown.length < row.keys.length && { hidden_keys: row.keys.length - shown.length }),
});
