// Webhooks in the admin API: each change writes an audit record in its transaction.
import { boundedList, DateTimeInput, text, Uuid } from '@muster/contract';
import type { Prisma } from '@muster/database';
import { v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import type { Actor } from '../platform/index.ts';
import { appendAudit, ServiceError } from '../platform/index.ts';
import { checkUrl, originOf } from './webhook-address.ts';
import { composeBody } from './webhook-body.ts';
import { MAX_ENDPOINTS } from './webhook-limits.ts';
import type { SecretBox } from './webhook-secrets.ts';
import { listReadable, makeSecret, openActive, rotate } from './webhook-secrets.ts';
import type { SendWebhook } from './webhook-sender.ts';
import type { ChooseSource } from './webhook-sources.ts';
import { checkKinds, sendsAudit, WEBHOOK_KINDS } from './webhook-sources.ts';
import type { WebhookStore } from './webhook-store.ts';
import {
  dropPending,
  hasPending,
  lockEndpoint,
  lockEndpoints,
  readClock,
  restartFrom,
  retryPending,
} from './webhook-store.ts';
import type { EndpointRow } from './webhook-views.ts';
import {
  DELIVERY_STATUSES,
  toAttemptView,
  toDeliveryView,
  toWebhookView,
} from './webhook-views.ts';

const Url = text(1, 2_048).meta({ description: 'An https URL of a public host.' });
const Kinds = boundedList(z.enum(WEBHOOK_KINDS), { min: 1, max: WEBHOOK_KINDS.length }).meta({
  description: 'The kinds of events to send. `audit_recorded` cannot be combined with other kinds.',
});
const MAX_OVERLAP_SECONDS = 7 * 86_400;

const webhook = { webhook_id: Uuid.meta({ description: 'The webhook.' }) };

export const WebhookInputs = {
  create: z.object({ url: Url, kinds: Kinds }),
  webhook: z.object(webhook),
  update: z.object({
    ...webhook,
    expected_version: z.int().min(1).meta({
      description:
        'The version on which the change is based. Another one is `webhook_version_conflict`.',
    }),
    url: Url.optional(),
    kinds: Kinds.optional(),
  }),
  rotateSecret: z.object({
    ...webhook,
    overlap_seconds: z.int().min(0).max(MAX_OVERLAP_SECONDS).default(86_400).meta({
      description: 'How long the previous secret signs as well.',
    }),
  }),
  listDeliveries: z.object({
    ...webhook,
    status: z.enum(DELIVERY_STATUSES).optional(),
    cursor: text(1, 512).optional(),
    page_size: z.int().min(1).max(200).default(50),
  }),
  resend: z.object({ ...webhook, delivery_id: Uuid.meta({ description: 'The delivery.' }) }),
  resume: z.object({
    ...webhook,
    from: DateTimeInput.meta({ description: 'Events from this moment on are sent again.' }),
  }),
};

type Input<Name extends keyof typeof WebhookInputs> = z.output<(typeof WebhookInputs)[Name]>;

type WebhookServiceOptions = {
  store: WebhookStore;
  secrets: SecretBox;
  allowPrivate: boolean;
  sourceOf: ChooseSource;
  send: SendWebhook;
};

/** The caller of a change that may direct audit records to a receiver. */
export type WebhookManager = {
  actor: Actor;
  /** Whether the caller may read the whole audit trail. */
  readsAudit: boolean;
};

export type WebhookService = ReturnType<typeof createWebhookService>;

export const createWebhookService = (options: WebhookServiceOptions) => {
  const { store, secrets, allowPrivate, sourceOf, send } = options;

  /** Changes one webhook under its lock. Errors: webhook_not_found. */
  const change = (
    actor: Actor,
    action: string,
    endpointId: string,
    work: (context: ChangeContext) => Promise<Changed>,
  ) =>
    store.inTransaction(async (transaction) => {
      const now = await readClock(transaction);
      const row = await lockEndpoint(transaction, endpointId);
      if (!row) throw new ServiceError('webhook_not_found');
      const { data, ...entry } = await work({ transaction, row, now });
      const target = { webhook_id: endpointId, url: originOf(row.url), ...entry.target };
      const audit = { action, target, ...entry.audit };
      await appendAudit(transaction, actor, audit, now);
      const where = { endpointId };
      const version = row.version + 1;
      const next = await transaction.webhookEndpoint.update({ where, data: { ...data, version } });
      return toWebhookView(next);
    });

  return {
    list: async () => ({ webhooks: (await store.list()).map(toWebhookView) }),

    /** Errors: webhook_not_found. */
    get: async ({ webhook_id: endpointId }: Input<'webhook'>) =>
      toWebhookView(await find(store, endpointId)),

    /** Only this result contains the secret. Errors: webhook_url_refused, too_many_webhooks, insufficient_permissions, input_invalid. */
    create: async (manager: WebhookManager, { url, ...input }: Input<'create'>) => {
      checkUrl(url, { allowPrivate });
      const kinds = [...new Set(input.kinds)];
      checkKinds(kinds);
      checkAuditPermission(manager, kinds);
      const cursor = await sourceOf(kinds).findEnd();
      return store.inTransaction(async (transaction) => {
        await lockEndpoints(transaction);
        if ((await transaction.webhookEndpoint.count()) >= MAX_ENDPOINTS) {
          throw new ServiceError('too_many_webhooks');
        }
        const now = await readClock(transaction);
        const endpointId = uuidv7();
        const secret = makeSecret();
        const row = await transaction.webhookEndpoint.create({
          data: {
            endpointId,
            url,
            kinds,
            secrets: [{ sealed: secrets.seal(secret, endpointId), created_at: now.toISOString() }],
            cursor,
            // The cursor is the start: an event of this moment may have an earlier time.
            readFrom: new Date(0),
            createdAt: now,
          },
        });
        const shown = originOf(url);
        const target = { webhook_id: endpointId, url: shown };
        const entry = { action: 'webhooks.create', target, after: { url: shown, kinds } };
        await appendAudit(transaction, manager.actor, entry, now);
        return { ...toWebhookView(row), secret };
      });
    },

    /** Errors: webhook_not_found, webhook_version_conflict, webhook_url_refused, insufficient_permissions, input_invalid. */
    update: (manager: WebhookManager, { webhook_id: endpointId, ...input }: Input<'update'>) => {
      if (input.url !== undefined) checkUrl(input.url, { allowPrivate });
      return change(manager.actor, 'webhooks.update', endpointId, async ({ row }) => {
        checkAuditPermission(manager, row.kinds);
        if (row.version !== input.expected_version) {
          throw new ServiceError('webhook_version_conflict', {
            facts: { current_version: row.version },
          });
        }
        const { url = row.url } = input;
        const kinds = [...new Set(input.kinds ?? row.kinds)];
        checkKinds(kinds, row.kinds);
        const before = { url: originOf(row.url), kinds: row.kinds };
        return { data: { url, kinds }, audit: { before, after: { url: originOf(url), kinds } } };
      });
    },

    /** Only this result contains the secret. Errors: webhook_not_found. */
    rotateSecret: async (actor: Actor, input: Input<'rotateSecret'>) => {
      const { webhook_id: endpointId, overlap_seconds: seconds } = input;
      const secret = makeSecret();
      const view = await change(
        actor,
        'webhooks.rotateSecret',
        endpointId,
        async ({ row, now }) => {
          const sealed = secrets.seal(secret, endpointId);
          const times = { now, overlapMs: seconds * 1_000 };
          const audit = { after: { overlap_seconds: seconds } };
          return {
            data: { secrets: rotate(listReadable(secrets, row), sealed, times) },
            audit,
          };
        },
      );
      return { ...view, secret };
    },

    /** Sends what is pending at once. Errors: webhook_not_found. */
    enable: (actor: Actor, { webhook_id: endpointId }: Input<'webhook'>) =>
      change(actor, 'webhooks.enable', endpointId, async ({ transaction, now }) => {
        await retryPending(transaction, endpointId, now);
        return { data: ENABLED };
      }),

    /** Events are kept for it as long as the feed keeps them. Errors: webhook_not_found. */
    disable: (actor: Actor, { webhook_id: endpointId }: Input<'webhook'>) =>
      change(actor, 'webhooks.disable', endpointId, async ({ now }) => ({
        data: { disabledAt: now, disabledReason: 'by_request' },
      })),

    /** Errors: webhook_not_found. */
    delete: async (actor: Actor, { webhook_id: endpointId }: Input<'webhook'>) => {
      await change(actor, 'webhooks.delete', endpointId, async ({ now }) => ({
        data: { disabledAt: now, disabledReason: 'by_request' },
      }));
      await store.deleteDeliveries(endpointId);
      await store.inTransaction((transaction) =>
        transaction.webhookEndpoint.deleteMany({ where: { endpointId } }),
      );
      return { deleted: true as const };
    },

    /** Sends a message without events. Errors: webhook_not_found, webhook_secret_unreadable. */
    test: async (actor: Actor, { webhook_id: endpointId }: Input<'webhook'>) => {
      const row = await find(store, endpointId);
      const at = new Date();
      const { url } = row;
      const signing = openForTest(secrets, row, at);
      const body = composeBody('muster.test', at, []);
      const attempt = await send({ url, id: uuidv7(), secrets: signing, body });
      const view = toAttemptView(attempt);
      await store.inTransaction((transaction) => {
        const target = { webhook_id: endpointId, url: originOf(url) };
        const after = { status_code: attempt.statusCode ?? null };
        return appendAudit(transaction, actor, { action: 'webhooks.test', target, after }, at);
      });
      return view;
    },

    /** Newest first. Errors: webhook_not_found. */
    listDeliveries: async (input: Input<'listDeliveries'>, before: bigint | null) => {
      const { webhook_id: endpointId, status, page_size: limit } = input;
      await find(store, endpointId);
      const rows = await store.listDeliveries(endpointId, { before, status, limit });
      const page = rows.slice(0, limit);
      const next = rows.length > limit ? page.at(-1)?.position : undefined;
      return { deliveries: page.map(toDeliveryView), next };
    },

    /** Sends a delivery again, with the same id. Errors: webhook_not_found, delivery_not_found. */
    resend: (actor: Actor, input: Input<'resend'>) => {
      const { webhook_id: endpointId, delivery_id: deliveryId } = input;
      return change(actor, 'webhooks.resend', endpointId, async ({ transaction, row, now }) => {
        const where = { deliveryId, endpointId };
        const delivery = await transaction.webhookDelivery.findUnique({ where });
        if (!delivery) throw new ServiceError('delivery_not_found');
        const { subject, status } = delivery;
        const target = { delivery_id: deliveryId };
        if (status === 'pending') {
          // Without a next attempt it waits for an earlier delivery, which must come first.
          const data = { nextAttemptAt: delivery.nextAttemptAt && now };
          await transaction.webhookDelivery.update({ where, data });
          return { data: {}, target };
        }
        const waits = await hasPending(transaction, endpointId, subject);
        const data = { ...AS_NEW, nextAttemptAt: waits ? null : now };
        await transaction.webhookDelivery.update({ where, data });
        return { data: { pending: row.pending + 1 }, target };
      });
    },

    /**
     * Enables the webhook and sends all events or audit records since a moment again, as far as they are kept, in new deliveries.
     * Pending deliveries end. Errors: webhook_not_found, input_invalid.
     */
    resume: (actor: Actor, { webhook_id: endpointId, from }: Input<'resume'>) =>
      change(actor, 'webhooks.resume', endpointId, async ({ transaction, row, now }) => {
        const readFrom = new Date(from);
        if (readFrom > now) {
          const desc = 'The moment is in the future.';
          throw new ServiceError('input_invalid', { desc, place: 'from' });
        }
        await dropPending(transaction, endpointId, now);
        await restartFrom(transaction, row, readFrom);
        return {
          data: { ...ENABLED, pending: 0 },
          audit: { after: { from: readFrom.toISOString() } },
        };
      }),
  };
};

/** Only a caller who may read the audit trail chooses where it is sent. */
const checkAuditPermission = ({ readsAudit }: WebhookManager, kinds: readonly string[]): void => {
  if (!sendsAudit(kinds) || readsAudit) return;
  const desc = 'A webhook for audit records needs the permission audit:view as well.';
  throw new ServiceError('insufficient_permissions', { desc });
};

const ENABLED = { disabledAt: null, disabledReason: null };
const AS_NEW = { status: 'pending', attempts: 0, failingSince: null, endedAt: null };

type ChangeContext = { transaction: Prisma.TransactionClient; row: EndpointRow; now: Date };
type Changed = {
  data: Prisma.WebhookEndpointUpdateInput;
  target?: Prisma.InputJsonObject;
  audit?: { before?: Prisma.InputJsonObject; after?: Prisma.InputJsonObject };
};

const openForTest = (box: SecretBox, row: EndpointRow, at: Date): string[] => {
  try {
    return openActive(box, row, at);
  } catch (cause) {
    throw new ServiceError('webhook_secret_unreadable', { cause });
  }
};

const find = async (store: WebhookStore, endpointId: string): Promise<EndpointRow> => {
  const row = await store.find(endpointId);
  if (!row) throw new ServiceError('webhook_not_found');
  return row;
};
