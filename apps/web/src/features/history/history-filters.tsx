import { CloseButton, Group } from '@mantine/core';
import { HistoryOperation } from '@muster/contract';
import { nameField } from '@muster/record-diff';
import { useMe } from '../../api/me.ts';
import { CopyableId } from '../../ui/copyable.tsx';
import { ChoiceFilter, FilterBar, TextFilter, TimeFilter } from '../../ui/filters.tsx';
import { useUrlChange, useUrlValues } from '../../ui/url-state.tsx';
import { useAccountNames } from '../accounts/account-name.tsx';
import { KIND_CHOICES } from '../records/record-kind.ts';
import { OPERATION_LABELS } from '../records/record-links.tsx';
import type { Version } from '../records/version-columns.tsx';
import { HISTORY_FILTERS } from './history-query.ts';

const OPERATIONS = HistoryOperation.options.map((value) => {
  return { value, label: OPERATION_LABELS[value][0] };
});

/** Both kinds have a legacy id, under different field names. */
const nameFor = (field: string): string =>
  field.startsWith('legacy_')
    ? `${nameField(field)} of ${field === 'legacy_xp_id' ? 'Xp tables' : 'Items'}`
    : nameField(field);

const FIELDS = [
  'name',
  'description',
  'item_type',
  'tags',
  'level_xp_table_id',
  'xp_thresholds',
  'custom_data',
  'legacy_item_id',
  'legacy_xp_id',
].map((value) => ({ value, label: nameFor(value) }));

/** `rows` are the loaded versions. The filter offers their authors by name. */
export const HistoryFilters = ({ rows }: { rows: readonly Version[] }) => (
  <FilterBar names={HISTORY_FILTERS}>
    <TextFilter name="name" label="Record name" isMain />
    <ChoiceFilter name="kind" label="Kind" choices={KIND_CHOICES} width={120} />
    <ChoiceFilter name="operation" label="What" choices={OPERATIONS} width={130} />
    <ChoiceFilter name="changed_field" label="Changed field" choices={FIELDS} width={160} />
    <PersonFilter accountIds={rows.map(({ account_id }) => account_id)} />
    <TimeFilter name="from" label="From" />
    <TimeFilter name="to" label="Before" />
    <TransactionFilter />
  </FilterBar>
);

/** Filters by account. Offers the accounts in the list, the user's own, and the one in the URL. */
const PersonFilter = ({ accountIds }: { accountIds: readonly string[] }) => {
  const { account_id } = useMe();
  const { account_id: chosen } = useUrlValues();
  const named = typeof chosen === 'string' ? [chosen] : [];
  const ids = [...new Set([account_id, ...named, ...accountIds])];
  const names = useAccountNames(ids);
  const choices = ids.map((id, index) => {
    const name = names[index] ?? id;
    return { value: id, label: id === account_id ? `${name} (you)` : name };
  });
  return (
    <ChoiceFilter name="account_id" label="By" anyLabel="Anyone" choices={choices} width={170} />
  );
};

/** Set by a link from a version to all versions of its transaction. The user can only remove it here. */
const TransactionFilter = () => {
  const { transaction_id } = useUrlValues();
  const change = useUrlChange();
  if (typeof transaction_id !== 'string') return null;
  return (
    <Group gap={4} h={30}>
      Changes of one edit <CopyableId id={transaction_id} label="transaction id" short />
      <CloseButton
        size="sm"
        aria-label="Show the changes of all edits"
        onClick={() => change({ transaction_id: undefined })}
      />
    </Group>
  );
};
