import { useQuery } from '@tanstack/react-query';
import { trpc } from '../../api/trpc.ts';

/** Accounts with their names, those with a name first. */
export const useAccountChoices = (accountIds: readonly string[]) => {
  const { data } = useQuery({
    ...trpc.accounts.names.queryOptions({ account_ids: [...accountIds] }),
    enabled: accountIds.length > 0,
  });
  const names = new Map(data?.accounts.map(({ account_id, name }) => [account_id, name]));
  const choices = accountIds.map((id) => ({ value: id, label: names.get(id) ?? id }));
  const rank = ({ value }: { value: string }) => (names.has(value) ? 0 : 1);
  return choices.toSorted((a, b) => rank(a) - rank(b) || a.label.localeCompare(b.label, 'en'));
};
