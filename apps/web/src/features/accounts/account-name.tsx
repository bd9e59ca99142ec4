import { queryOptions, useQueries, useQuery } from '@tanstack/react-query';
import { createBatchLoader } from '../../api/batch-loader.ts';
import { api } from '../../api/client.ts';
import { Name } from '../../ui/names.tsx';

/**
 * The account of a change: a person or a service account by name, any other account by id. While the name is loading, no id
 * is shown in its place.
 */
export const AccountName = ({ id }: { id: string }) => {
  const { data, isPending } = useQuery(accountNameOptions(id));
  if (isPending) return <span title={id}>…</span>;
  const name = data ?? id;
  return (
    <span title={name === id ? undefined : id}>
      <Name name={name} id={id} />
    </span>
  );
};

const ask = createBatchLoader(async (account_ids) => {
  const { accounts } = await api.accounts.names.query({ account_ids });
  return new Map(accounts.map(({ account_id, name }) => [account_id, name]));
});

const accountNameOptions = (accountId: string) =>
  queryOptions({
    queryKey: ['account-name', accountId],
    queryFn: () => ask(accountId),
    staleTime: 5 * 60_000,
  });

/** The name, or the id while it is unknown: tokens and removed accounts have none. */
export const useAccountName = (accountId: string | undefined): string => {
  const options = accountNameOptions(accountId ?? '');
  const { data } = useQuery({ ...options, enabled: accountId !== undefined });
  return data ?? accountId ?? '';
};

/** The names of several accounts, in order; ids where a name is unknown. */
export const useAccountNames = (accountIds: readonly string[]): string[] =>
  useQueries({
    queries: accountIds.map(accountNameOptions),
    combine: (results) => results.map(({ data }, index) => data ?? accountIds[index] ?? ''),
  });
