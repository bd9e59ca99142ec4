// The metrics of webhooks.
import type { Registry } from 'prom-client';
import { Gauge } from 'prom-client';

type WebhookBacklog = { pending: number; ageSeconds: number; disabled: number };

export const createWebhookMetrics = (registry: Registry) => {
  let measure = async (): Promise<WebhookBacklog> => ({ pending: 0, ageSeconds: 0, disabled: 0 });
  let measuring: Promise<WebhookBacklog | null> | undefined;
  /** One measurement for the three metrics of a scrape. */
  const look = () => {
    measuring ??= measure()
      .catch(() => null)
      .finally(() => {
        measuring = undefined;
      });
    return measuring;
  };
  const createGauge = (name: string, help: string, member: keyof WebhookBacklog) =>
    new Gauge({
      name,
      help,
      // Each worker measures the same database.
      aggregator: 'max',
      registers: [registry],
      async collect() {
        const backlog = await look();
        if (backlog) this.set(backlog[member]);
      },
    });
  createGauge(
    'muster_webhook_pending_deliveries',
    'Pending deliveries of all enabled webhooks.',
    'pending',
  );
  createGauge(
    'muster_webhook_backlog_seconds',
    'Age of the oldest pending delivery of all enabled webhooks; 0 without one.',
    'ageSeconds',
  );
  createGauge(
    'muster_webhooks_disabled',
    'Webhooks that the service has disabled, since their receivers failed or their secrets cannot be read.',
    'disabled',
  );
  return {
    /** Called for each scrape of the metrics. */
    observeWebhooks: (measureBacklog: () => Promise<WebhookBacklog>): void => {
      measure = measureBacklog;
    },
  };
};
