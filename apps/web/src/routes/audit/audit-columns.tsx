import type { ApiOutputs } from '../../api/trpc.ts';
import { AccountName } from '../../components/accounts/account-name.tsx';
import { defineColumns } from '../../components/data-table/columns.ts';
import { TimeText } from '../../components/time/time-text.tsx';
import { SearchLink } from '../../components/url/search-link.tsx';
import { describeAction } from './audit-words.ts';
import { SandboxName } from './sandbox-name.tsx';
import { TargetSummary } from './target-summary.tsx';

export type AuditRecord = ApiOutputs['audit']['list']['records'][number];

export const AUDIT_COLUMNS = defineColumns<AuditRecord>([
  {
    id: 'action',
    header: 'What',
    width: 200,
    cell: ({ audit_id, action }) => (
      <SearchLink changes={{ record: audit_id }}>{describeAction(action)}</SearchLink>
    ),
  },
  {
    id: 'account',
    header: 'Who',
    width: 130,
    cell: ({ account_id }) => <AccountName id={account_id} />,
  },
  {
    id: 'time',
    header: 'When',
    width: 140,
    cell: ({ occurred_at }) => <TimeText at={occurred_at} />,
  },
  {
    id: 'target',
    header: 'To what',
    width: 230,
    grow: true,
    isOnPhone: false,
    cell: (record) => <TargetSummary record={record} />,
  },
  {
    id: 'sandbox',
    header: 'Sandbox',
    width: 130,
    isOnPhone: false,
    cell: ({ sandbox_id }) => (sandbox_id ? <SandboxName id={sandbox_id} /> : '–'),
  },
  {
    id: 'reason',
    header: 'Reason',
    width: 200,
    isOnPhone: false,
    cell: ({ reason }) => reason ?? '–',
  },
  {
    id: 'procedure',
    header: 'Procedure',
    width: 170,
    isShown: false,
    cell: ({ action }) => <code className="mono">{action}</code>,
  },
  {
    id: 'address',
    header: 'Address',
    width: 130,
    isShown: false,
    cell: ({ address }) => address ?? '–',
  },
  {
    id: 'request',
    header: 'Request',
    width: 200,
    isShown: false,
    cell: ({ request_id }) => <span className="mono">{request_id ?? '–'}</span>,
  },
]);
