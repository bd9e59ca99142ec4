// Webhooks and deliveries as the admin API shows them.
import { StoredSecrets } from './webhook-secrets.ts';
import type { Attempt } from './webhook-sender.ts';

/** Why an endpoint is disabled: by a person, after three days of failures, by a 410, or since its secret cannot be read. */
export type DisabledReason = 'by_request' | 'failing' | 'gone' | 'secret_unreadable';

export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** A row of `webhook_endpoint`. */
export type EndpointRow = {
  endpointId: string;
  url: string;
  kinds: string[];
  secrets: unknown;
  disabledAt: Date | null;
  disabledReason: string | null;
  version: number;
  cursor: unknown;
  cursorVersion: number;
  readFrom: Date;
  pending: number;
  lastPosition: bigint;
  createdAt: Date;
};

export const toWebhookView = (row: EndpointRow) => ({
  webhook_id: row.endpointId,
  url: row.url,
  kinds: row.kinds,
  version: row.version,
  created: row.createdAt.toISOString(),
  ...(row.disabledAt && {
    disabled: row.disabledAt.toISOString(),
    disabled_reason: row.disabledReason ?? '',
  }),
  pending_deliveries: row.pending,
  secrets: StoredSecrets.parse(row.secrets).map(({ created_at: created, expires_at: expires }) => ({
    created,
    ...(expires !== undefined && { expires }),
  })),
});

type DeliveryRow = {
  deliveryId: string;
  subject: string;
  eventCount: number;
  status: string;
  attempts: number;
  createdAt: Date;
  attemptedAt: Date | null;
  nextAttemptAt: Date | null;
  endedAt: Date | null;
  statusCode: number | null;
  durationMs: number | null;
  response: string | null;
  error: string | null;
};

export const toDeliveryView = (row: DeliveryRow) => ({
  delivery_id: row.deliveryId,
  subject: JSON.parse(row.subject) as Record<string, string>,
  events: row.eventCount,
  status: row.status,
  attempts: row.attempts,
  created: row.createdAt.toISOString(),
  ...(row.attemptedAt && { attempted: row.attemptedAt.toISOString() }),
  ...(row.nextAttemptAt && { next_attempt: row.nextAttemptAt.toISOString() }),
  ...(row.endedAt && { ended: row.endedAt.toISOString() }),
  ...(row.statusCode !== null && { status_code: row.statusCode }),
  ...(row.durationMs !== null && { duration_ms: row.durationMs }),
  ...(row.response !== null && { response: row.response }),
  ...(row.error !== null && { error: row.error }),
});

export const toAttemptView = ({ statusCode, durationMs, response, error }: Attempt) => ({
  duration_ms: durationMs,
  ...(statusCode !== undefined && { status_code: statusCode }),
  ...(response !== undefined && { response }),
  ...(error !== undefined && { error }),
});
