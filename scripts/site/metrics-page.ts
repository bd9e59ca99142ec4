// The tables of docs/operations/metrics.md, from the registry that /metrics serves.
import { toTable } from './limits-page.ts';

export type ReferenceMetric = { name: string; type: string; labels: string[]; help: string };

/** Each metric is in the first section that matches its name. */
const SECTIONS = [
  { title: 'Requests', names: /^muster_http_/ },
  {
    title: 'Limits',
    names: /^muster_(?:requests|connections|body|unread|watches)_|^muster_connections$/,
    lead: 'What each limit is, and which setting moves it: [limits](../limits.md).',
  },
  { title: 'Joins', names: /^muster_(?:join|refused|session|sessions)_/ },
  { title: 'Database', names: /^muster_(?:database|feed)_/ },
  { title: 'Webhooks', names: /^muster_webhooks?_/ },
  {
    title: 'Memory and housekeeping',
    names: /^muster_(?:retention|cache|change_set)_|^muster_maintenance$/,
  },
  { title: 'Process', names: /^(?:process|nodejs)_|^muster_processes$/ },
];

/** Throws for a metric that no section takes. */
export const composeMetrics = (metrics: readonly ReferenceMetric[]): string => {
  const lost = metrics.filter(({ name }) => !SECTIONS.some(({ names }) => names.test(name)));
  if (lost.length > 0) {
    const names = lost.map(({ name }) => name).join(', ');
    throw new Error(`scripts/site/metrics-page.ts has no section for ${names}.`);
  }
  return SECTIONS.map(({ title, names, lead }) => {
    const rows = metrics.filter(({ name }) => names.test(name)).map(toRow);
    const table = toTable('| Metric | Type | Labels | Meaning |', rows);
    return [`## ${title}`, ...(lead ? [lead] : []), table].join('\n\n');
  }).join('\n\n');
};

const toRow = ({ name, type, labels, help }: ReferenceMetric): string => {
  const sentence = /[.!?]$/.test(help) ? help : `${help}.`;
  return `| \`${name}\` | ${type} | ${labels.join(', ') || '–'} | ${sentence} |`;
};
