// Wires webhooks: their service for the admin API, and the dispatcher.
import type { Database } from '@muster/database';
import type { EventFeed } from '../events/index.ts';
import type { Config, Logger } from '../platform/index.ts';
import { createDispatchStore } from './dispatch-store.ts';
import { createWebhookDispatcher } from './webhook-dispatcher.ts';
import { createSecretBox } from './webhook-secrets.ts';
import { createWebhookSender } from './webhook-sender.ts';
import { createWebhookService } from './webhook-service.ts';
import type { AuditTrail, ChooseSource } from './webhook-sources.ts';
import { createAuditSource, createFeedSource, sendsAudit } from './webhook-sources.ts';
import { createWebhookStore } from './webhook-store.ts';

type WebhooksOptions = {
  /** Encrypts the secrets of webhooks. */
  accountsSecret: string;
  config: Pick<Config, 'webhooksAllowPrivate'>;
  database: Pick<Database, 'pool' | 'prisma'>;
  logger: Logger;
};

export const createWebhooks = (
  { accountsSecret, config, database, logger }: WebhooksOptions,
  feed: EventFeed,
  auditTrail: AuditTrail,
) => {
  const sources = { feed: createFeedSource(feed), audit: createAuditSource(auditTrail) };
  const sourceOf: ChooseSource = (kinds) => (sendsAudit(kinds) ? sources.audit : sources.feed);
  const secrets = createSecretBox(accountsSecret);
  const allowPrivate = config.webhooksAllowPrivate;
  const send = createWebhookSender({ allowPrivate });
  const service = createWebhookService({
    store: createWebhookStore(database),
    secrets,
    allowPrivate,
    sourceOf,
    send,
  });
  const store = createDispatchStore(database);
  const dispatcher = createWebhookDispatcher({
    store,
    sourceOf,
    secrets,
    send,
    onFailure: (err) => logger.warn({ err }, 'webhooks could not be sent for a moment'),
  });
  return { service, dispatcher, measureBacklog: store.measureBacklog };
};
