// Webhooks: receivers of the events of the feed.

export { WebhookInputs, type WebhookManager, type WebhookService } from './webhook-service.ts';
export { createWebhooks } from './webhooks.ts';
