// The rows of the table: one per key, and one per service account without keys.

import type { Permission } from '@muster/contract';
import { permits, READ_HISTORY } from '@muster/contract';
import type { ApiOutputs } from '../../api/client.ts';

export type Account = ApiOutputs['keys']['list']['service_accounts'][number];
export type Key = Account['keys'][number];
export type KeyRow = { id: string; account: Account; key?: Key };

type KeyState = 'active' | 'revoked' | 'expired';

export const readState = ({ revoked, expires }: Key, now: Date = new Date()): KeyState => {
  if (revoked) return 'revoked';
  return expires && new Date(expires) <= now ? 'expired' : 'active';
};

export const listRows = (accounts: readonly Account[]): KeyRow[] =>
  accounts.flatMap((account): KeyRow[] =>
    account.keys.length === 0
      ? [{ id: account.account_id, account }]
      : account.keys.map((key) => ({ id: key.key_id, account, key })),
  );

type KeyFilter = { name?: string | undefined; state?: 'active' | 'ended' | undefined };

export const filterRows = (rows: readonly KeyRow[], { name, state }: KeyFilter): KeyRow[] => {
  const wanted = name?.toLowerCase() ?? '';
  const hasName = ({ account, key }: KeyRow) =>
    [account.name, key?.name ?? ''].some((text) => text.toLowerCase().includes(wanted)) ||
    (name !== undefined && key?.prefix.startsWith(name.slice(0, key.prefix.length)) === true);
  const hasState = ({ key }: KeyRow) => {
    if (state === undefined) return true;
    return key !== undefined && (readState(key) === 'active') === (state === 'active');
  };
  return rows.filter((row) => hasName(row) && hasState(row));
};

// A command that tests a new key, chosen by its permissions.

type SampleFacts = { origin: string; permissions: readonly string[]; sandboxId?: string };

const PROCEDURES: readonly [Permission, string][] = [
  ['session:view', 'sessions.list'],
  ['player:view', 'players.list'],
  ['audit:view', 'audit.list'],
  ['metrics:view', 'system.get'],
];

export const writeSample = ({ origin, permissions, sandboxId }: SampleFacts): string => {
  const call = 'curl -sS -H "Authorization: Bearer $MUSTER_KEY"';
  if (sandboxId && permits(permissions, READ_HISTORY)) {
    return `${call} \\\n  ${origin}/v1/history/sandbox/${sandboxId}/item/`;
  }
  const known = PROCEDURES.find(([permission]) => permits(permissions, [permission]));
  return `${call} \\\n  ${origin}/admin/trpc/${known?.[1] ?? 'me.get'}`;
};
