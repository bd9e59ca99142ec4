// The page of metrics, from the registry that /metrics serves.

export type ReferenceMetric = { name: string; type: string; labels: string[]; help: string };

const HEAD = `# Metrics

What \`/metrics\` answers, in the text format of Prometheus. This page is made from the code, on Linux; other systems show less of the process.

Units are in the names: seconds, bytes. A counter only grows and starts at 0 with the process: use \`rate()\`. A histogram comes as \`_bucket\`, \`_sum\` and
\`_count\`. Every label has a bounded set of values: \`route\` is the pattern of a route, \`unmatched\` for all else; \`statement\` is the name of a prepared statement, \`other\` for
those of the admin API and of transactions. Statements on a replica count as well. Each process counts for itself: sum over \`instance\`. With \`WORKERS\`,
\`METRICS_PORT\` shows the sum of all workers, of gauges as well; but \`muster_database_available\` is 0 when one of them has lost the database, and the lag of the event loop is that of the busiest.
`;

/** Each metric is in the first section that matches its name. */
const SECTIONS = [
  { title: 'Requests', names: /^muster_http_/ },
  {
    title: 'Limits',
    names: /^muster_(?:requests|connections|body|unread)_|^muster_connections$/,
    lead: 'What each limit is, and which setting moves it: [limits](../limits.md).',
  },
  { title: 'Joins', names: /^muster_(?:join|session|sessions)_/ },
  { title: 'Database', names: /^muster_database_/ },
  { title: 'Memory and housekeeping', names: /^muster_(?:retention|cache)_/ },
  { title: 'Process', names: /^(?:process|nodejs)_|^muster_processes$/ },
];

/** Throws for a metric that no section takes. */
export const composeMetricsPage = (metrics: readonly ReferenceMetric[]): string => {
  const lost = metrics.filter(({ name }) => !SECTIONS.some(({ names }) => names.test(name)));
  if (lost.length > 0) {
    const names = lost.map(({ name }) => name).join(', ');
    throw new Error(`scripts/site/metrics-page.ts has no section for ${names}.`);
  }
  const sections = SECTIONS.map(({ title, names, lead }) => [
    '',
    `## ${title}`,
    '',
    ...(lead ? [lead, ''] : []),
    '| Metric | Type | Labels | Meaning |',
    '|---|---|---|---|',
    ...metrics.filter(({ name }) => names.test(name)).map(toRow),
  ]);
  return `${HEAD}${sections.flat().join('\n')}\n`;
};

const toRow = ({ name, type, labels, help }: ReferenceMetric): string => {
  const sentence = /[.!?]$/.test(help) ? help : `${help}.`;
  return `| \`${name}\` | ${type} | ${labels.join(', ') || '–'} | ${sentence} |`;
};
