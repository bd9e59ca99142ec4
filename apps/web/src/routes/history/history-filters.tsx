import { HistoryOperation } from '@muster/contract';
import { nameField } from '@muster/record-diff';
import { ChoiceFilter } from '../../components/filters/choice-filter.tsx';
import { FilterBar } from '../../components/filters/filter-bar.tsx';
import { TextFilter } from '../../components/filters/text-filter.tsx';
import { TimeFilter } from '../../components/filters/time-filter.tsx';
import type { Version } from './history-query.ts';
import { PersonFilter } from './person-filter.tsx';
import { TransactionFilter } from './transaction-filter.tsx';

export const HISTORY_FILTERS = [
  ...['name', 'kind', 'operation', 'changed_field', 'account_id', 'transaction_id', 'from', 'to'],
];

const KINDS = [
  { value: 'item', label: 'Items' },
  { value: 'xp', label: 'Xp tables' },
];

const WORDS: Record<HistoryOperation, string> = {
  insert: 'created',
  update: 'changed',
  delete: 'deleted',
  restore: 'restored',
};
const OPERATIONS = HistoryOperation.options.map((value) => ({ value, label: WORDS[value] }));

/** Both kinds have a legacy id, each under a name of its own. */
const nameFor = (field: string): string =>
  field.startsWith('legacy_')
    ? `${nameField(field)} of ${field === 'legacy_xp_id' ? 'Xp tables' : 'Items'}`
    : nameField(field);

const FIELDS = [
  ...['name', 'description', 'item_type', 'tags', 'level_xp_table_id', 'xp_thresholds'],
  ...['custom_data', 'legacy_item_id', 'legacy_xp_id'],
].map((value) => ({ value, label: nameFor(value) }));

/** `rows` are the versions that are loaded: their authors can be chosen by name. */
export const HistoryFilters = ({ rows }: { rows: readonly Version[] }) => (
  <FilterBar names={HISTORY_FILTERS}>
    <TextFilter name="name" label="Record name" isMain />
    <ChoiceFilter name="kind" label="Kind" choices={KINDS} width={120} />
    <ChoiceFilter name="operation" label="What" choices={OPERATIONS} width={130} />
    <ChoiceFilter name="changed_field" label="Changed field" choices={FIELDS} width={160} />
    <PersonFilter accountIds={rows.map(({ account_id }) => account_id)} />
    <TimeFilter name="from" label="From" />
    <TimeFilter name="to" label="Before" />
    <TransactionFilter />
  </FilterBar>
);
