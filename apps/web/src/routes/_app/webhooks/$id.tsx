// One webhook: its settings, and its deliveries.
import { Alert, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute, Link } from '@tanstack/react-router';
import { z } from 'zod';
import { requirePermission } from '../../../api/me.ts';
import { DeliveryList } from '../../../features/webhooks/delivery-list.tsx';
import { WebhookActions } from '../../../features/webhooks/webhook-actions.tsx';
import { EVENT_LABELS, explainDisabled } from '../../../features/webhooks/webhook-labels.ts';
import type { Webhook } from '../../../features/webhooks/webhook-queries.ts';
import { DELIVERY_STATUSES, webhookOptions } from '../../../features/webhooks/webhook-queries.ts';
import { WebhookTag } from '../../../features/webhooks/webhook-tag.tsx';
import { CopyableId } from '../../../ui/copyable.tsx';
import { Facts } from '../../../ui/facts.tsx';
import { Page, PageRefused } from '../../../ui/page.tsx';
import { QueryState } from '../../../ui/states.tsx';
import { TimeText } from '../../../ui/time.tsx';
import { tableSearchFields, wordParam } from '../../../ui/url-state.tsx';

const WebhookSearch = z.object({
  ...tableSearchFields,
  status: z.enum(DELIVERY_STATUSES).optional().catch(undefined),
  /** The id of the open delivery. */
  delivery: wordParam,
});

export const Route = createFileRoute('/_app/webhooks/$id')({
  validateSearch: WebhookSearch,
  beforeLoad: ({ context }) => requirePermission(context.me, ['webhook:manage']),
  component: WebhookPage,
  notFoundComponent: () => (
    <PageRefused title="Webhook" refusal="Your account may not see webhooks">
      Ask an admin or an owner for a role that allows it.
    </PageRefused>
  ),
});

function WebhookPage() {
  const { id } = Route.useParams();
  const { status, delivery } = Route.useSearch();
  const query = useQuery(webhookOptions(id));
  const webhook = query.data;
  return (
    <Page
      title={webhook?.url ?? 'Webhook'}
      above={<Link to="/webhooks">Webhooks</Link>}
      beside={webhook && <WebhookTag webhook={webhook} />}
      actions={webhook && <WebhookActions webhook={webhook} />}
    >
      <QueryState query={query}>
        {(shown) => (
          <div className="column">
            {shown.disabled !== undefined && (
              <Alert color="red" title="Nothing is sent" mb="sm">
                {explainDisabled(shown.disabled_reason)}
              </Alert>
            )}
            <WebhookFacts webhook={shown} />
            <Title order={2} mt="md">
              Deliveries
            </Title>
            <DeliveryList webhookId={id} status={status} open={delivery} />
          </div>
        )}
      </QueryState>
    </Page>
  );
}

const LABELS: Readonly<Record<string, string>> = Object.assign({}, ...Object.values(EVENT_LABELS));

const WebhookFacts = ({ webhook }: { webhook: Webhook }) => {
  const [newest, ...older] = webhook.secrets;
  return (
    <Facts
      facts={{
        Events: webhook.kinds.map((kind) => LABELS[kind] ?? kind).join(', '),
        'Pending deliveries': webhook.pending_deliveries.toLocaleString('en'),
        Created: <TimeText at={webhook.created} />,
        'Secret made': newest && <TimeText at={newest.created} />,
        'Old secret expires': older[0]?.expires && <TimeText at={older[0].expires} />,
        'Webhook id': <CopyableId id={webhook.webhook_id} label="webhook id" short />,
      }}
    />
  );
};
