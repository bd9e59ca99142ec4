// The rows of the table: one per key, and one per service account that has none.
import type { ApiOutputs } from '../../api/trpc.ts';

type Answer = ApiOutputs['keys']['list'];
export type Account = Answer['service_accounts'][number];
export type Key = Account['keys'][number];
export type KeyRow = { id: string; account: Account; key?: Key };

export type KeyState = 'active' | 'revoked' | 'expired';

export const readState = ({ revoked, expires }: Key, now: Date = new Date()): KeyState => {
  if (revoked) return 'revoked';
  return expires && new Date(expires) <= now ? 'expired' : 'active';
};

export const listRows = ({ service_accounts }: Answer): KeyRow[] =>
  service_accounts.flatMap((account): KeyRow[] =>
    account.keys.length === 0
      ? [{ id: account.account_id, account }]
      : account.keys.map((key) => ({ id: key.key_id, account, key })),
  );

export type KeyFilter = { name?: string | undefined; state?: 'active' | 'ended' | undefined };

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
