import { useQuery } from '@tanstack/react-query';
import { useSandboxes } from '../../access/sandboxes.ts';
import { trpc } from '../../api/trpc.ts';
import { ChoiceFilter } from '../../components/filters/choice-filter.tsx';
import { FilterBar } from '../../components/filters/filter-bar.tsx';
import { TextFilter } from '../../components/filters/text-filter.tsx';
import { TimeFilter } from '../../components/filters/time-filter.tsx';
import { useUrlValues } from '../../components/url/url-state.ts';
import { describeAction } from './audit-words.ts';
import { useAccountChoices } from './use-account-choices.ts';

export const AUDIT_FILTERS = ['target', 'account', 'action', 'in', 'from', 'to'];

export const AuditFilters = () => {
  const { data } = useQuery(trpc.audit.choices.queryOptions());
  const accounts = useAccountChoices(data?.account_ids ?? []);
  const sandboxes = useSandboxes();
  const { action: chosen } = useUrlValues();
  // What the address names has its words before the service has told what there is.
  const named = typeof chosen === 'string' ? [chosen] : [];
  const actions = [...new Set([...named, ...(data?.actions ?? [])])].map((action) => ({
    value: action,
    label: describeAction(action),
  }));
  return (
    <FilterBar names={AUDIT_FILTERS}>
      <TextFilter name="target" label="Changed" placeholder="Part of an id" isMain width={150} />
      <ChoiceFilter name="account" label="Who" choices={accounts} anyLabel="Anybody" width={130} />
      <ChoiceFilter name="action" label="What" choices={actions} anyLabel="Anything" width={165} />
      <ChoiceFilter
        name="in"
        label="Sandbox"
        choices={sandboxes.map(({ sandbox_id, name }) => ({ value: sandbox_id, label: name }))}
        width={115}
      />
      <TimeFilter name="from" label="From" />
      <TimeFilter name="to" label="Before" />
    </FilterBar>
  );
};
