// The page of limits, from the numbers of the HTTP front and the defaults of the settings.

export type ReferenceLimit = {
  what: string;
  value?: number;
  unit: string;
  response: string;
  setting?: string;
  metric?: string;
};

/** Settings with their defaults, as `muster settings` prints them. */
export type ReferenceSetting = { name: string; default: string };

type LimitsReference = {
  limits: readonly ReferenceLimit[];
  costs: Readonly<Record<string, number>>;
  settings: readonly ReferenceSetting[];
};

const HEAD = `# Limits

The limits of one process protect the players who join while other clients flood the service, and they bound its memory. This page is made from
\`apps/api/src/http/limits.ts\` and the defaults of the [settings](reference/settings.md). [Decision 11](decisions/0011-outages-and-overload.md) has the reasons. The sizes of
inputs and responses are in [sizes](operations/sizes.md), those of single fields in [bounds](reference/bounds.md).

A caller is a player, a service, an API key or a person. A player is a caller whose token permits it to act for itself only; all tokens of an account are one caller.
People have no rate limit. Public histories (\`HISTORY_ACCESS=public\`) have no caller and no limit per caller.
\`/healthz\`, \`/readyz\` and \`/metrics\` are always answered.
`;

const WHAT_TO_SET = `## What to set

The defaults suit one process with a processor core of its own and 1 GB of memory; with \`WORKERS\`, each worker needs as much. Beyond \`BUFFER_MEMORY_MB\`, three imports
take 64 MiB each, and one that is applied 128 MiB.

- Behind a proxy, \`MAX_CONNECTIONS\` must exceed the connections that the proxy keeps open, and the proxy's read timeout eight seconds.
- Limits count in each process: with n processes a caller has up to n times the rate.
- A load test needs many players, or the token of a service.
- Issuers must not let players choose their permissions: a token that may act for others is a service.
`;

const RATE_RESPONSE = '409 rate_limited on a join, 429 elsewhere, with an exact Retry-After';
const RATE_METRIC = 'muster_requests_refused_total{reason="rate"}';

/** Limits that a setting alone decides, outside of the HTTP front or without a number of its own. */
const BY_SETTING: ReferenceLimit[] = [
  {
    what: 'Requests of one player, per second',
    unit: 'requests',
    setting: 'PLAYER_RATE_LIMIT_PER_SECOND',
    response: RATE_RESPONSE,
    metric: RATE_METRIC,
  },
  {
    what: 'Requests of one player at once, after a pause',
    unit: 'requests',
    setting: 'PLAYER_RATE_LIMIT_BURST',
    response: 'the same',
    metric: RATE_METRIC,
  },
  {
    what: 'Requests of one service or API key, per second',
    unit: 'requests',
    setting: 'RATE_LIMIT_PER_SECOND',
    response: 'the same',
    metric: RATE_METRIC,
  },
  {
    what: 'Requests of one service or API key at once, after a pause',
    unit: 'requests',
    setting: 'RATE_LIMIT_BURST',
    response: 'the same',
    metric: RATE_METRIC,
  },
  {
    what: 'Resource of one session',
    unit: 'bytes',
    setting: 'MAX_SESSION_KB',
    response: '422 on a join, session_too_large elsewhere',
  },
];

/** What each cost counts, as a cell of the table. */
const COST_ROWS: Readonly<Record<string, (cost: number) => [what: string, requests: string]>> = {
  historyByName: (cost) => ['A history page with `name`', `${cost} in all`],
  bodyBytes: (bytes) => [`Each ${formatBytes(bytes)} of the body of a join`, '1 more'],
  responseBytes: (bytes) => [`Each ${formatBytes(bytes)} of a response`, '1 more'],
  adminCall: (cost) => ['A call of the admin API', `${cost} in all`],
};

/** Throws for a setting or a cost that it does not know. */
export const composeLimitsPage = ({ limits, costs, settings }: LimitsReference): string => {
  const defaults = new Map(settings.map((setting) => [setting.name, setting.default]));
  const rows = [...limits, ...BY_SETTING].map((limit) => toRow(limit, defaults));
  return `${HEAD}
| Limit | Default | Setting | At the limit | Metric |
|---|---|---|---|---|
${rows.join('\n')}

## Costs

Under the rate limit, a request of a player counts for 1. A costly request counts for more.

| Request | Counts for |
|---|---|
${Object.entries(costs).map(toCostRow).join('\n')}

${WHAT_TO_SET}`;
};

const toRow = (limit: ReferenceLimit, defaults: ReadonlyMap<string, string>): string => {
  const { what, response, setting, metric } = limit;
  const cells = [
    what.replace(/\b[A-Z]+(?:_[A-Z]+)+\b/g, '`$&`'),
    formatDefault(limit, defaults),
    setting ? `\`${setting}\`` : '–',
    response.replace(/\b[a-z]+(?:_[a-z]+)+\b/g, '`$&`'),
    metric?.replace(/[^,\s][^,]*/g, '`$&`') ?? '–',
  ];
  return `| ${cells.join(' | ')} |`;
};

const formatDefault = (
  { value, unit, setting }: ReferenceLimit,
  defaults: ReadonlyMap<string, string>,
): string => {
  if (value !== undefined) return formatValue(value, unit);
  const text = setting && defaults.get(setting);
  if (!setting || !text) throw new Error(`scripts/site/limits-page.ts: no default of ${setting}.`);
  const number = Number(text);
  if (Number.isNaN(number)) return text;
  if (setting.endsWith('_MB')) return `${number} MiB`;
  if (setting.endsWith('_KB')) return `${number} KiB`;
  return setting.endsWith('_SECONDS') ? `${number} s` : formatNumber(number);
};

const formatValue = (value: number, unit: string): string => {
  if (unit === 'bytes') return formatBytes(value);
  if (unit !== 'milliseconds') return formatNumber(value);
  return value < 1_000 ? `${value} ms` : `${value / 1_000} s`;
};

const formatBytes = (bytes: number): string =>
  bytes < 1_048_576 ? `${bytes / 1_024} KiB` : `${bytes / 1_048_576} MiB`;

const formatNumber = (value: number): string => value.toLocaleString('en-US');

const toCostRow = ([name, cost]: [string, number]): string => {
  const describe = COST_ROWS[name];
  if (!describe) throw new Error(`scripts/site/limits-page.ts does not describe the cost ${name}.`);
  return `| ${describe(cost).join(' | ')} |`;
};
