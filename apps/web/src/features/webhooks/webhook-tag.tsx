import { Tag } from '../../ui/facts.tsx';
import type { Webhook } from './webhook-queries.ts';

export const WebhookTag = ({ webhook }: { webhook: Webhook }) =>
  webhook.disabled === undefined ? <Tag tone="good">enabled</Tag> : <Tag tone="bad">disabled</Tag>;
