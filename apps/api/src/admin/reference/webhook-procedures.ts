// Webhooks and their deliveries.
import { z } from 'zod';
import type { ProcedureReference } from './procedure.ts';
import { Count, Deleted, Id, PageMeta, Time } from './procedure.ts';

const webhookMembers = {
  webhook_id: Id,
  url: z.string(),
  kinds: z.array(z.string()).meta({ description: 'The kinds of events that are sent.' }),
  version: z.int().min(1).meta({ description: 'What an update names as `expected_version`.' }),
  created: Time,
  disabled: Time.optional().meta({ description: 'Present while nothing is sent.' }),
  disabled_reason: z.string().optional().meta({
    description:
      '`by_request`, `failing` after three days of failures, `gone` after a 410, or `secret_unreadable` after a change of `ACCOUNTS_SECRET`.',
  }),
  pending_deliveries: Count,
  secrets: z
    .array(z.strictObject({ created: Time, expires: Time.optional() }))
    .meta({ description: 'When the signing secrets were made, newest first.' }),
};

const Webhook = z.strictObject(webhookMembers).meta({
  id: 'Webhook',
  description: 'A receiver of events or audit records, without its secret.',
});

const NewWebhook = z
  .strictObject({
    ...webhookMembers,
    secret: z.string().meta({ description: 'Verifies signatures. In this response only.' }),
  })
  .meta({ id: 'NewWebhook' });

const Delivery = z
  .strictObject({
    delivery_id: Id.meta({ description: 'The `webhook-id` of every attempt.' }),
    subject: z.record(z.string(), z.string()).meta({
      description:
        'What the events are about: a session, a sandbox or a webhook, by its ids. `stream` is `audit` for audit records.',
    }),
    events: Count.meta({ description: 'How many events it has.' }),
    status: z.enum(['pending', 'delivered', 'failed']),
    attempts: Count,
    created: Time,
    attempted: Time.optional(),
    next_attempt: Time.optional().meta({
      description: 'Absent while an earlier delivery of the subject is pending.',
    }),
    ended: Time.optional(),
    status_code: z.int().optional(),
    duration_ms: Count.optional(),
    response: z.string().optional().meta({
      description: 'The first KiB of the response. Absent for private addresses.',
    }),
    error: z.string().optional().meta({ description: 'Why there was no response.' }),
  })
  .meta({ id: 'WebhookDelivery', description: 'Up to 100 events of one subject.' });

export const WEBHOOK_PROCEDURES = {
  'webhooks.list': {
    summary: 'List webhooks',
    output: z.strictObject({ webhooks: z.array(Webhook) }),
  },
  'webhooks.get': { summary: 'Read a webhook', output: Webhook, errors: ['webhook_not_found'] },
  'webhooks.create': {
    summary: 'Create a webhook',
    description:
      'It receives the events that happen from now on. The kind `audit_recorded` needs `audit:view` as well.',
    output: NewWebhook,
    errors: ['webhook_url_refused', 'too_many_webhooks'],
  },
  'webhooks.update': {
    summary: 'Change the URL or the kinds of events',
    description: 'A webhook for audit records needs `audit:view` as well, and keeps its kind.',
    output: Webhook,
    errors: ['webhook_not_found', 'webhook_version_conflict', 'webhook_url_refused'],
  },
  'webhooks.rotateSecret': {
    summary: 'Make a new signing secret',
    description: 'During the overlap, each request has the signatures of both secrets.',
    output: NewWebhook,
    errors: ['webhook_not_found'],
  },
  'webhooks.enable': {
    summary: 'Enable a webhook',
    description:
      'Continues where it stopped. The feed keeps events for 7 days, and the audit trail for `AUDIT_RETENTION_DAYS`.',
    output: Webhook,
    errors: ['webhook_not_found'],
  },
  'webhooks.disable': {
    summary: 'Disable a webhook',
    output: Webhook,
    errors: ['webhook_not_found'],
  },
  'webhooks.delete': {
    summary: 'Delete a webhook with its deliveries',
    output: Deleted,
    errors: ['webhook_not_found'],
  },
  'webhooks.test': {
    summary: 'Send a test to a webhook',
    description: 'Sends a message of the type `muster.test` without events, once.',
    output: z.strictObject({
      duration_ms: Count,
      status_code: z.int().optional(),
      response: z.string().optional(),
      error: z.string().optional(),
    }),
    errors: ['webhook_not_found', 'webhook_secret_unreadable'],
  },
  'webhooks.listDeliveries': {
    summary: 'List deliveries, newest first',
    description: 'Ended deliveries are kept for 7 days, at most 10,000 of a webhook.',
    output: z.strictObject({ deliveries: z.array(Delivery), page_meta: PageMeta }),
    errors: ['webhook_not_found'],
  },
  'webhooks.resend': {
    summary: 'Send a delivery again',
    output: Webhook,
    errors: ['webhook_not_found', 'delivery_not_found'],
  },
  'webhooks.resume': {
    summary: 'Enable a webhook and resend its events since a given time',
    description: 'Pending deliveries end, since new ones contain their events.',
    output: Webhook,
    errors: ['webhook_not_found'],
  },
} satisfies Record<string, ProcedureReference>;
