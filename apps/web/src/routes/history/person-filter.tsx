import { useMe } from '../../access/me.ts';
import { useAccountNames } from '../../components/accounts/account-names.ts';
import { ChoiceFilter } from '../../components/filters/choice-filter.tsx';
import { useUrlValues } from '../../components/url/url-state.ts';

/** Whose changes: those who appear in the list, the reader, and whoever the address names. */
export const PersonFilter = ({ accountIds }: { accountIds: readonly string[] }) => {
  const { account_id } = useMe();
  const { account_id: chosen } = useUrlValues();
  const named = typeof chosen === 'string' ? [chosen] : [];
  const ids = [...new Set([account_id, ...named, ...accountIds])];
  const names = useAccountNames(ids);
  const choices = ids.map((id, index) => ({
    value: id,
    label: nameOf(names[index], id, account_id),
  }));
  return (
    <ChoiceFilter name="account_id" label="By" anyLabel="Anyone" choices={choices} width={170} />
  );
};

const nameOf = (name: string | undefined, id: string, me: string): string =>
  id === me ? `${name ?? id} (you)` : (name ?? id);
