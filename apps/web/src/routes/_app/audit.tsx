// The audit log: every change with its account, time, target and origin.

import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { z } from 'zod';
import type { ApiOutputs } from '../../api/client.ts';
import { api, trpc } from '../../api/client.ts';
import { requirePermission } from '../../api/me.ts';
import { useSandboxes } from '../../api/sandboxes.ts';
import { AccountName, useAccountNames } from '../../features/accounts/account-name.tsx';
import { SandboxName } from '../../features/accounts/sandbox-scope.tsx';
import type { AuditRecord } from '../../features/audit/audit-details.tsx';
import { AuditDetails } from '../../features/audit/audit-details.tsx';
import { describeAction, summarizeTarget } from '../../features/audit/audit-labels.ts';
import { ChoiceFilter, FilterBar, TextFilter, TimeFilter } from '../../ui/filters.tsx';
import { Page, PageRefused } from '../../ui/page.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { DataTable } from '../../ui/table/data-table.tsx';
import { usePagedRows } from '../../ui/table/paged-rows.ts';
import { defineColumns } from '../../ui/table/table-model.ts';
import { TimeText } from '../../ui/time.tsx';
import {
  momentParam,
  SearchLink,
  tableSearchFields,
  textParam,
  useUrlChange,
  useUrlValues,
  wordParam,
} from '../../ui/url-state.tsx';

const id = z.guid().optional().catch(undefined);

const AuditSearch = z.object({
  ...tableSearchFields,
  account: wordParam,
  action: wordParam,
  /** Part of the id of the target. */
  target: textParam,
  in: id,
  from: momentParam,
  to: momentParam,
  /** The id of the open record. */
  record: id,
});

export const Route = createFileRoute('/_app/audit')({
  validateSearch: AuditSearch,
  beforeLoad: ({ context }) => requirePermission(context.me, ['audit:view']),
  component: AuditPage,
  notFoundComponent: () => (
    <PageRefused title="Audit" refusal="Your account may not see the audit trail" />
  ),
});

const rowId = ({ audit_id }: AuditRecord) => audit_id;
const rowsOf = ({ records }: ApiOutputs['audit']['list']) => records;
const PAGE_SIZE = 100;
const LIVE_MS = 5000;

function AuditPage() {
  const { account, action, target, in: sandbox_id, from, to, record } = Route.useSearch();
  const change = useUrlChange();
  const input = { account_id: account, action, target, sandbox_id, from, to, page_size: PAGE_SIZE };
  const rows = usePagedRows({
    queryKey: [...trpc.audit.list.pathKey(), input],
    fetchPage: (cursor, signal) => api.audit.list.query({ ...input, cursor }, { signal }),
    rowsOf,
    rowId,
    liveMs: LIVE_MS,
  });
  return (
    <Page title="Audit" layout="fill">
      <AuditFilters />
      <DataTable
        label="changes"
        rows={rows}
        columns={AUDIT_COLUMNS}
        onOpen={({ audit_id }) => change({ record: audit_id }, { push: true })}
        filters={AUDIT_FILTERS}
        empty={
          <EmptyState title="No changes yet">
            Every change is recorded here. Records cannot be edited.
          </EmptyState>
        }
      />
      {record && <AuditDetails id={record} onClose={() => change({ record: undefined })} />}
    </Page>
  );
}

const AUDIT_COLUMNS = defineColumns<AuditRecord>({
  action: {
    header: 'What',
    width: 150,
    grow: true,
    cell: ({ audit_id, action }) => (
      <SearchLink changes={{ record: audit_id }}>{describeAction(action)}</SearchLink>
    ),
  },
  account: { header: 'Who', width: 100, cell: ({ account_id }) => <AccountName id={account_id} /> },
  time: { header: 'When', width: 130, cell: ({ occurred_at }) => <TimeText at={occurred_at} /> },
  target: {
    header: 'To what',
    width: 140,
    grow: true,
    isOnPhone: false,
    cell: ({ target, target_name }) => summarizeTarget(target, target_name),
  },
  sandbox: {
    header: 'Sandbox',
    width: 100,
    isOnPhone: false,
    cell: ({ sandbox_id }) => (sandbox_id ? <SandboxName id={sandbox_id} /> : '–'),
  },
  reason: {
    header: 'Reason',
    width: 110,
    grow: true,
    isOnPhone: false,
    cell: ({ reason }) => reason ?? '–',
  },
  procedure: {
    header: 'Procedure',
    width: 170,
    isShown: false,
    cell: ({ action }) => <code className="mono">{action}</code>,
  },
  address: { header: 'Address', width: 130, isShown: false, cell: ({ address }) => address ?? '–' },
  request: {
    header: 'Request',
    width: 200,
    isShown: false,
    cell: ({ request_id }) => <span className="mono">{request_id ?? '–'}</span>,
  },
});

const AUDIT_FILTERS = ['target', 'account', 'action', 'in', 'from', 'to'];

const AuditFilters = () => {
  const { data } = useQuery(trpc.audit.choices.queryOptions());
  const accounts = useAccountChoices(data?.account_ids ?? []);
  const sandboxes = useSandboxes();
  const { action: chosen } = useUrlValues();
  // Offers the action in the URL before the service has listed the others.
  const named = typeof chosen === 'string' ? [chosen] : [];
  const actions = [...new Set([...named, ...(data?.actions ?? [])])].map((action) => ({
    value: action,
    label: describeAction(action),
  }));
  return (
    <FilterBar names={AUDIT_FILTERS}>
      <TextFilter name="target" label="Changed" placeholder="Part of an id" isMain width={150} />
      <ChoiceFilter name="account" label="Who" choices={accounts} anyLabel="Anyone" width={130} />
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

/** Accounts with their names; accounts with a name come first. */
const useAccountChoices = (accountIds: readonly string[]) => {
  const names = useAccountNames(accountIds);
  const choices = accountIds.map((id, index) => ({ value: id, label: names[index] ?? id }));
  const rank = ({ value, label }: (typeof choices)[number]) => (label === value ? 1 : 0);
  return choices.toSorted((a, b) => rank(a) - rank(b) || a.label.localeCompare(b.label, 'en'));
};
