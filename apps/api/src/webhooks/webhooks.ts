// Wires webhooks: their service for the admin API, and the dispatcher.
import type { Database } from '@muster/database';
import type { EventFeed } from '../events/index.ts';
import type { Config, Logger } from '../platform/index.ts';
import { createDispatchStore } from './dispatch-store.ts';
import { createWebhookDispatcher } from './webhook-dispatcher.ts';
import { createSecretBox } from './webhook-secrets.ts';
import { createWebhookSender } from './webhook-sender.ts';
import { createWebhookService } from './webhook-service.ts';
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
) => {
  const secrets = createSecretBox(accountsSecret);
  const allowPrivate = config.webhooksAllowPrivate;
  const send = createWebhookSender({ allowPrivate });
  const service = createWebhookService({
    store: createWebhookStore(database),
    secrets,
    allowPrivate,
    findEnd: feed.findEnd,
    send,
  });
  const store = createDispatchStore(database);
  const dispatcher = createWebhookDispatcher({
    store,
    feed,
    secrets,
    send,
    onFailure: (err) => logger.warn({ err }, 'webhooks could not be sent for a moment'),
  });
  return { service, dispatcher, measureBacklog: store.measureBacklog };
};
