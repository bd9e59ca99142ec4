// The queries for webhooks and their deliveries.
import type { QueryKey } from '@tanstack/react-query';
import { queryOptions } from '@tanstack/react-query';
import type { ApiInputs, ApiOutputs } from '../../api/client.ts';
import { api, trpc } from '../../api/client.ts';
import type { PagedRowsOptions } from '../../ui/table/paged-rows.ts';

export type Webhook = ApiOutputs['webhooks']['get'];
export type EventKind = ApiInputs['webhooks']['create']['kinds'][number];
type DeliveriesAnswer = ApiOutputs['webhooks']['listDeliveries'];
export type Delivery = DeliveriesAnswer['deliveries'][number];
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

const PAGE_SIZE = 100;
const LIVE_MS = 5_000;

export const WEBHOOK_KEYS: readonly QueryKey[] = [trpc.webhooks.pathKey()];

export const webhooksOptions = queryOptions({
  ...trpc.webhooks.list.queryOptions(),
  refetchInterval: LIVE_MS,
});

export const webhookOptions = (webhook_id: string) =>
  queryOptions({
    ...trpc.webhooks.get.queryOptions({ webhook_id }),
    refetchInterval: LIVE_MS,
  });

export const deliveriesOptions = (
  webhook_id: string,
  status: DeliveryStatus | undefined,
): PagedRowsOptions<DeliveriesAnswer, Delivery> => {
  const input = { webhook_id, status, page_size: PAGE_SIZE };
  return {
    queryKey: [...trpc.webhooks.listDeliveries.pathKey(), input],
    fetchPage: (cursor, signal) =>
      api.webhooks.listDeliveries.query({ ...input, cursor }, { signal }),
    rowsOf: ({ deliveries }) => deliveries,
    rowId: ({ delivery_id }) => delivery_id,
    liveMs: LIVE_MS,
  };
};

export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed'] as const;
