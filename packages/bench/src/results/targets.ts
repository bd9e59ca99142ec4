// What the project promises itself, as ratios and bounds over a report.

import type { BenchmarkName } from '../options.ts';
import { BENCHMARKS } from '../options.ts';
import { FEW_ROOMS, nameColyseus } from '../peers/start-peers.ts';
import type { Report, Sizes } from './report.ts';
import { findMeasurement } from './report.ts';
import type { Spread } from './statistics.ts';
import { countInWords, ratioOf, spreadOf } from './statistics.ts';

type Source = { benchmark: string; variant: string; metric: string };

export type Target = {
  name: string;
  of: Source;
  /** Absent: the value itself is bounded. */
  over?: Source;
  bound: '≥' | '≤';
  limit: number;
  unit?: string;
};

export type Outcome = { target: Target; value: Spread | null; holds: boolean | null };

const RATE = 'rate';

const joins = (benchmark: string, variant: string, metric = RATE): Source => ({
  ...{ benchmark, variant, metric },
});

const page = (name: string, variant: string): Source => ({
  ...{ benchmark: `history/${name}`, variant, metric: 'p50' },
});

const DISTINCT = joins('join/distinct', 'muster');

const joinTargets = ({ sessions }: Sizes): Target[] => [
  {
    name: 'join/distinct over idiomatic',
    of: DISTINCT,
    over: joins('join/distinct', 'idiomatic'),
    bound: '≥',
    limit: 12,
  },
  {
    name: 'join/distinct over Colyseus, as many rooms as sessions',
    of: DISTINCT,
    over: joins('join/distinct', nameColyseus(sessions)),
    bound: '≥',
    limit: 5,
  },
  {
    name: `join/distinct over Colyseus with ${FEW_ROOMS} rooms`,
    of: DISTINCT,
    over: joins('join/distinct', nameColyseus(FEW_ROOMS)),
    bound: '≥',
    limit: 1,
  },
  {
    name: 'join/distinct over pgbench',
    of: DISTINCT,
    over: joins('join/distinct', 'pgbench'),
    bound: '≥',
    limit: 2,
  },
  {
    name: 'join/distinct over the ceiling',
    of: DISTINCT,
    over: joins('join/distinct', 'ceiling'),
    bound: '≥',
    limit: 0.6,
  },
  {
    name: 'join/hot over join/distinct',
    of: joins('join/hot', 'muster'),
    over: DISTINCT,
    bound: '≥',
    limit: 1,
  },
  {
    name: 'join/rejoin over the ceiling',
    of: joins('join/rejoin', 'muster'),
    over: joins('join/rejoin', 'ceiling'),
    bound: '≥',
    limit: 0.8,
  },
  {
    name: 'p99 over p50 at half load',
    of: joins('join/latency', 'muster', 'p99'),
    over: joins('join/latency', 'muster', 'p50'),
    bound: '≤',
    limit: 4,
  },
  {
    name: 'p50 of one connection over unbatched',
    of: joins('join/alone', 'muster', 'p50'),
    over: joins('join/alone', 'unbatched', 'p50'),
    bound: '≤',
    limit: 1.3,
  },
];

const PAGES = ['first', 'deep', 'item', 'name'];

const historyTargets = (sizes: Sizes): Target[] => {
  const [small, large] = [sizes.versions.small, sizes.versions.large].map(countInWords);
  const first = page('first', `muster, ${large}`);
  return [
    {
      name: `history/deep over history/first at ${large}`,
      of: page('deep', `muster, ${large}`),
      over: first,
      bound: '≤',
      limit: 1.1,
    },
    ...PAGES.map(
      (name): Target => ({
        name: `history/${name} at ${large} over ${small}`,
        of: page(name, `muster, ${large}`),
        over: page(name, `muster, ${small}`),
        bound: '≤',
        limit: 1.2,
      }),
    ),
    {
      name: `offset at position ${countInWords(sizes.versions.large / 2)} over our first page`,
      of: page('deep', `offset, ${large}`),
      over: first,
      bound: '≥',
      limit: 50,
    },
    {
      name: `first page of Payload over ours at ${large}`,
      of: page('first', `payload, ${large}`),
      over: first,
      bound: '≥',
      limit: 10,
    },
    {
      name: `making ${large} versions`,
      of: { benchmark: 'history/data', variant: `muster, ${large}`, metric: 'made in' },
      bound: '≤',
      limit: 300,
      unit: 's',
    },
  ];
};

const memoryTargets = ({ memoryJoins }: Sizes): Target[] => [
  {
    name: 'memory idle',
    of: joins('memory', 'muster', 'idle'),
    bound: '≤',
    limit: 180,
    unit: 'MB',
  },
  {
    name: 'memory under load',
    of: joins('memory', 'muster', 'highest under load'),
    bound: '≤',
    limit: 320,
    unit: 'MB',
  },
  {
    name: `memory after ${countInWords(memoryJoins)} joins over after half of them`,
    of: joins('memory', 'muster', 'after the joins'),
    over: joins('memory', 'muster', 'half-way'),
    bound: '≤',
    limit: 1.1,
  },
];

const startupTargets = (): Target[] => [
  {
    name: 'ready after an installed start',
    of: joins('startup', 'muster', 'ready'),
    bound: '≤',
    limit: 2_000,
    unit: 'ms',
  },
];

const overloadTargets = (): Target[] => [
  {
    name: 'served at ten times the highest rate over the highest rate',
    of: joins('overload', '10 times that rate', 'served'),
    over: joins('overload', 'highest rate', 'served'),
    bound: '≥',
    limit: 0.8,
  },
  {
    name: 'p99 of the served at ten times the highest rate',
    of: joins('overload', '10 times that rate', 'p99 of the served'),
    bound: '≤',
    limit: 1_000,
    unit: 'ms',
  },
];

const soakTargets = (): Target[] => [
  {
    name: 'memory per 100,000 requests of a soak',
    of: joins('soak', 'muster', 'memory per 100,000 requests'),
    bound: '≤',
    limit: 1,
    unit: 'MB',
  },
];

const shown = (list: ListName, variant: WebVariant): Source => ({
  ...{ benchmark: `web/${list}`, variant, metric: 'shown after' },
});

const webTargets = (): Target[] =>
  LIST_NAMES.map((list) => ({
    name: `web/${list}: rows over the page of an empty sandbox`,
    of: shown(list, 'rows'),
    over: shown(list, 'empty'),
    bound: '≤',
    limit: 1.3,
  }));

/** What the service is doing meanwhile. */
const LAG_WORKS = [
  'idle',
  'import, dry run',
  'import, applied',
  'export, NDJSON',
  'export, CSV',
  'comparison',
  'verification',
] as const;
export type LagWork = (typeof LAG_WORKS)[number];

const lagTargets = (): Target[] =>
  LAG_WORKS.map((variant) => ({
    name: `slowest /healthz: ${variant}`,
    of: { benchmark: 'lag', variant, metric: 'slowest /healthz' },
    bound: '≤',
    limit: 50,
    unit: 'ms',
  }));

const LISTS: readonly { group: BenchmarkName; list: (sizes: Sizes) => Target[] }[] = [
  { group: 'join', list: joinTargets },
  { group: 'history', list: historyTargets },
  { group: 'join', list: memoryTargets },
  { group: 'startup', list: startupTargets },
  { group: 'overload', list: overloadTargets },
  { group: 'soak', list: soakTargets },
  { group: 'web', list: webTargets },
  { group: 'lag', list: lagTargets },
];

/** Those of the groups that were asked for: what nobody wanted to measure is no missing value. */
export const listTargets = (
  sizes: Sizes,
  groups: readonly BenchmarkName[] = BENCHMARKS,
): Target[] =>
  LISTS.filter(({ group }) => groups.includes(group)).flatMap(({ list }) => list(sizes));

/** Null where a value was not measured. */
export const judge = (report: Report, target: Target): Outcome => {
  const above = findMeasurement(report, target.of, target.of.metric)?.rounds;
  const below = target.over && findMeasurement(report, target.over, target.over.metric)?.rounds;
  if (!above || (target.over && !below)) return { target, value: null, holds: null };
  const value = below ? ratioOf(above, below) : spreadOf(above);
  const holds = target.bound === '≥' ? value.median >= target.limit : value.median <= target.limit;
  return { target, value, holds };
};

// The lists of the web app that are opened, and what says that they are there.

export const LIST_NAMES = ['items', 'history'] as const;

export type ListName = (typeof LIST_NAMES)[number];

/** The page of an empty sandbox, once it can be used, and the rows of one that has records. */
export type WebVariant = 'empty' | 'rows';
