// The deliveries of a webhook, newest first. The selected one opens beside the list.
import { Drawer, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { ActionButton } from '../../ui/action-button.tsx';
import { CopyableId, JsonBlock } from '../../ui/copyable.tsx';
import { Facts, Tag } from '../../ui/facts.tsx';
import { ChoiceFilter, FilterBar } from '../../ui/filters.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { DataTable } from '../../ui/table/data-table.tsx';
import { usePagedRows } from '../../ui/table/paged-rows.ts';
import { defineColumns } from '../../ui/table/table-model.ts';
import { TimeText } from '../../ui/time.tsx';
import { SearchLink, useUrlChange } from '../../ui/url-state.tsx';
import { DELIVERY_TONES, labelSubject } from './webhook-labels.ts';
import type { Delivery, DeliveryStatus } from './webhook-queries.ts';
import { DELIVERY_STATUSES, deliveriesOptions, WEBHOOK_KEYS } from './webhook-queries.ts';

const FILTERS = ['status'];
const STATUS_CHOICES = DELIVERY_STATUSES.map((value) => ({ value, label: value }));

type DeliveryListProps = {
  webhookId: string;
  status: DeliveryStatus | undefined;
  /** The id of the open delivery. */
  open: string | undefined;
};

export const DeliveryList = ({ webhookId, status, open }: DeliveryListProps) => {
  const change = useUrlChange();
  const rows = usePagedRows(deliveriesOptions(webhookId, status));
  const shown = rows.rows.find(({ delivery_id }) => delivery_id === open);
  return (
    <>
      <FilterBar names={FILTERS}>
        <ChoiceFilter name="status" label="Status" choices={STATUS_CHOICES} width={150} />
      </FilterBar>
      <DataTable
        label="deliveries"
        singular="delivery"
        rows={rows}
        columns={COLUMNS}
        onOpen={({ delivery_id }) => change({ delivery: delivery_id }, { push: true })}
        filters={FILTERS}
        height="24rem"
        empty={
          <EmptyState title="No deliveries yet">
            A delivery appears here when an event of a chosen kind happens. Deliveries are kept for
            seven days.
          </EmptyState>
        }
      />
      <Drawer
        opened={shown !== undefined}
        onClose={() => change({ delivery: undefined })}
        size="xl"
        title="Delivery"
      >
        {shown && <DeliveryDetails webhookId={webhookId} delivery={shown} />}
      </Drawer>
    </>
  );
};

/** "session 0198…" of the subject's members. */
const describeSubject = (subject: Readonly<Record<string, string>>): string =>
  Object.values(subject).join(' ');

const COLUMNS = defineColumns<Delivery>({
  subject: {
    header: 'About',
    width: 180,
    grow: true,
    cell: ({ delivery_id, subject }) => (
      <SearchLink changes={{ delivery: delivery_id }}>
        <bdi>{describeSubject(subject)}</bdi>
      </SearchLink>
    ),
  },
  events: {
    header: 'Events',
    width: 80,
    align: 'end',
    isOnPhone: false,
    cell: ({ events }) => events,
  },
  status: { header: 'Status', width: 110, cell: (delivery) => <StatusTag delivery={delivery} /> },
  code: {
    header: 'Response',
    width: 100,
    isOnPhone: false,
    cell: ({ status_code, error }) => status_code ?? error ?? '–',
  },
  attempts: {
    header: 'Attempts',
    width: 90,
    align: 'end',
    isOnPhone: false,
    cell: ({ attempts }) => attempts,
  },
  duration: {
    header: 'Duration',
    width: 100,
    align: 'end',
    isOnPhone: false,
    cell: ({ duration_ms }) => (duration_ms === undefined ? '–' : `${duration_ms} ms`),
  },
  created: { header: 'Created', width: 130, cell: ({ created }) => <TimeText at={created} /> },
});

const StatusTag = ({ delivery: { status } }: { delivery: Delivery }) => (
  <Tag tone={DELIVERY_TONES[status as DeliveryStatus]}>{status}</Tag>
);

type DeliveryDetailsProps = { webhookId: string; delivery: Delivery };

const DeliveryDetails = ({ webhookId, delivery }: DeliveryDetailsProps) => {
  const { delivery_id, status, response } = delivery;
  const resend = useMutation({
    mutationFn: () => api.webhooks.resend.mutate({ webhook_id: webhookId, delivery_id }),
    meta: { invalidates: WEBHOOK_KEYS },
  });
  return (
    <Stack gap="md">
      <Facts
        facts={{
          Status: <StatusTag delivery={delivery} />,
          ...labelSubject(delivery.subject),
          Events: delivery.events,
          Attempts: delivery.attempts,
          Created: <TimeText at={delivery.created} />,
          'Last attempt': delivery.attempted && <TimeText at={delivery.attempted} />,
          'Next attempt': delivery.next_attempt && <TimeText at={delivery.next_attempt} />,
          Response: delivery.status_code,
          Duration: delivery.duration_ms !== undefined && `${delivery.duration_ms} ms`,
          Error: delivery.error,
          'Delivery id': <CopyableId id={delivery_id} label="delivery id" />,
        }}
      />
      <div>
        <ActionButton
          anyOf={['webhook:manage']}
          loading={resend.isPending}
          reason={status === 'pending' && 'This delivery is still being sent.'}
          onClick={() => resend.mutate()}
        >
          Send again
        </ActionButton>
      </div>
      {response !== undefined && (
        <div>
          <Text size="sm" fw={600} mb={4}>
            The first KiB of the response
          </Text>
          <JsonBlock label="response" value={response} />
        </div>
      )}
    </Stack>
  );
};
