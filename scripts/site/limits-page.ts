// The tables of docs/limits.md, from the numbers of the HTTP front and the defaults of the settings.

type ReferenceLimit = {
  what: string;
  value?: number;
  unit: string;
  response: string;
  setting?: string;
  metric?: string;
};

/** Settings with their defaults, as `muster settings` prints them. */
type ReferenceSetting = { name: string; default: string };

export type LimitsReference = {
  limits: readonly ReferenceLimit[];
  costs: Readonly<Record<string, number>>;
  settings: readonly ReferenceSetting[];
};

const RATE_RESPONSE = '409 rate_limited on a join, 429 elsewhere, with an exact Retry-After';
const RATE_METRIC = 'muster_requests_refused_total{reason="rate"}';

/** Limits that a setting alone decides, outside of the HTTP front or without a number of its own. */
const BY_SETTING: ReferenceLimit[] = [
  {
    what: 'Requests of one player per second',
    unit: 'requests',
    setting: 'PLAYER_RATE_LIMIT_PER_SECOND',
    response: RATE_RESPONSE,
    metric: RATE_METRIC,
  },
  {
    what: 'Requests of one player at once after a pause',
    unit: 'requests',
    setting: 'PLAYER_RATE_LIMIT_BURST',
    response: RATE_RESPONSE,
    metric: RATE_METRIC,
  },
  {
    what: 'Requests of one service or API key per second',
    unit: 'requests',
    setting: 'RATE_LIMIT_PER_SECOND',
    response: RATE_RESPONSE,
    metric: RATE_METRIC,
  },
  {
    what: 'Requests of one service or API key at once after a pause',
    unit: 'requests',
    setting: 'RATE_LIMIT_BURST',
    response: RATE_RESPONSE,
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
  sessionList: (cost) => ['A list of the sessions of a player', `${cost} in all`],
  adminCall: (cost) => ['A call of the admin API', `${cost} in all`],
};

/** The tables of the page, by their names there. Throws for a setting or a cost that it does not know. */
export const composeLimits = ({ limits, costs, settings }: LimitsReference) => {
  const defaults = new Map(settings.map((setting) => [setting.name, setting.default]));
  const rows = [...limits, ...BY_SETTING].map((limit) => toRow(limit, defaults));
  return {
    limits: toTable('| Limit | Default | Setting | At the limit | Metric |', rows),
    costs: toTable('| Request | Counts for |', Object.entries(costs).map(toCostRow)),
  };
};

/** A table of Markdown from complete rows. */
export const toTable = (head: string, rows: readonly string[]): string =>
  [head, head.replace(/[^|]+/g, '---'), ...rows].join('\n');

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
