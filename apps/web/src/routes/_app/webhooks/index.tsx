// The receivers of events.
import { useQuery } from '@tanstack/react-query';
import { createFileRoute, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { z } from 'zod';
import { requirePermission } from '../../../api/me.ts';
import { CreateWebhookDialog } from '../../../features/webhooks/webhook-dialogs.tsx';
import type { Webhook } from '../../../features/webhooks/webhook-queries.ts';
import { webhooksOptions } from '../../../features/webhooks/webhook-queries.ts';
import { WebhookTag } from '../../../features/webhooks/webhook-tag.tsx';
import { ActionButton } from '../../../ui/action-button.tsx';
import { useCommand } from '../../../ui/commands.ts';
import { Page, PageRefused } from '../../../ui/page.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import { DataTable } from '../../../ui/table/data-table.tsx';
import { toRows } from '../../../ui/table/rows.ts';
import { defineColumns } from '../../../ui/table/table-model.ts';
import { TimeText } from '../../../ui/time.tsx';
import { tableSearchFields } from '../../../ui/url-state.tsx';

export const Route = createFileRoute('/_app/webhooks/')({
  validateSearch: z.object(tableSearchFields),
  beforeLoad: ({ context }) => requirePermission(context.me, ['webhook:manage']),
  component: WebhooksPage,
  notFoundComponent: () => (
    <PageRefused title="Webhooks" refusal="Your account may not see webhooks">
      Ask an admin or an owner for a role that allows it.
    </PageRefused>
  ),
});

const rowId = (webhook: Webhook) => webhook.webhook_id;
const NONE: readonly Webhook[] = [];

function WebhooksPage() {
  const navigate = useNavigate();
  const [isCreating, setCreating] = useState(false);
  const query = useQuery(webhooksOptions);
  useCommand({ label: 'New webhook', keys: 'n', run: () => setCreating(true) });
  return (
    <Page
      title="Webhooks"
      layout="fill"
      actions={
        <ActionButton anyOf={['webhook:manage']} onClick={() => setCreating(true)}>
          New webhook
        </ActionButton>
      }
    >
      <DataTable
        label="webhooks"
        rows={toRows(query.data?.webhooks ?? NONE, rowId, query)}
        columns={COLUMNS}
        onOpen={({ webhook_id }) =>
          void navigate({ to: '/webhooks/$id', params: { id: webhook_id } })
        }
        empty={
          <EmptyState title="No webhooks yet">
            A webhook sends events, such as joins and edits, to your own service as they happen.
          </EmptyState>
        }
      />
      {isCreating && <CreateWebhookDialog onClose={() => setCreating(false)} />}
    </Page>
  );
}

const COLUMNS = defineColumns<Webhook>({
  url: {
    header: 'URL',
    width: 200,
    grow: true,
    cell: ({ webhook_id, url }) => (
      <Link to="/webhooks/$id" params={{ id: webhook_id }}>
        <bdi>{url}</bdi>
      </Link>
    ),
    sortValue: ({ url }) => url,
  },
  state: { header: 'State', width: 100, cell: (webhook) => <WebhookTag webhook={webhook} /> },
  kinds: {
    header: 'Kinds of events',
    width: 130,
    align: 'end',
    isOnPhone: false,
    cell: ({ kinds }) => kinds.length,
  },
  pending: {
    header: 'Pending deliveries',
    width: 150,
    align: 'end',
    isOnPhone: false,
    cell: ({ pending_deliveries }) => pending_deliveries.toLocaleString('en'),
    sortValue: ({ pending_deliveries }) => pending_deliveries,
  },
  created: {
    header: 'Created',
    width: 130,
    isOnPhone: false,
    cell: ({ created }) => <TimeText at={created} />,
    sortValue: ({ created }) => created,
  },
});
