// What the project promises itself, as ratios and bounds over a report.

import type { BenchmarkName } from '../options.ts';
import { BENCHMARKS } from '../options.ts';
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

const at = (benchmark: string, variant: string, metric = 'rate'): Source => ({
  benchmark,
  variant,
  metric,
});

const bounded =
  (bound: Target['bound']) =>
  (limit: number, name: string, of: Source, over: Source): Target => ({
    name,
    of,
    over,
    bound,
    limit,
  });
const [atLeast, atMost] = [bounded('≥'), bounded('≤')];

/** A bound of the value itself. */
const within = (limit: number, unit: string, name: string, of: Source): Target => ({
  name,
  of,
  bound: '≤',
  limit,
  unit,
});

const joinTargets = (): Target[] => {
  const ours = (kind: string, metric?: string) => at(`join/${kind}`, 'muster', metric);
  const other = (variant: string) => at('join/distinct', variant);
  const distinct = ours('distinct');
  return [
    atLeast(0.6, 'join/distinct over the ceiling', distinct, other('ceiling')),
    atLeast(1, 'join/hot over join/distinct', ours('hot'), distinct),
    atLeast(0.8, 'join/rejoin over the ceiling', ours('rejoin'), at('join/rejoin', 'ceiling')),
    atMost(4, 'p99 over p50 at half load', ours('latency', 'p99'), ours('latency', 'p50')),
  ];
};

const historyTargets = ({ versions }: Sizes): Target[] => {
  const [small, large] = [versions.small, versions.large].map(countInWords);
  const page = (name: string, variant: string) => at(`history/${name}`, variant, 'p50');
  const ours = (name: string, size = large) => page(name, `muster, ${size}`);
  return [
    atMost(1.1, `history/deep over history/first at ${large}`, ours('deep'), ours('first')),
    ...['first', 'deep', 'item', 'name'].map((name) =>
      atMost(1.2, `history/${name} at ${large} over ${small}`, ours(name), ours(name, small)),
    ),
  ];
};

const memoryTargets = ({ memoryJoins }: Sizes): Target[] => {
  const memory = (metric: string) => at('memory', 'muster', metric);
  const name = `memory after ${countInWords(memoryJoins)} joins over after half of them`;
  return [
    within(180, 'MB', 'memory idle', memory('idle')),
    within(320, 'MB', 'memory under load', memory('highest under load')),
    atMost(1.1, name, memory('after the joins'), memory('half-way')),
  ];
};

const startupTargets = (): Target[] => [
  within(2_000, 'ms', 'ready after an installed start', at('startup', 'muster', 'ready')),
];

const overloadTargets = (): Target[] => {
  const overloaded = (metric: string) => at('overload', '10 times that rate', metric);
  const [highest, p99] = [at('overload', 'highest rate', 'served'), 'p99 of the served'];
  const name = 'served at ten times the highest rate over the highest rate';
  return [
    atLeast(0.8, name, overloaded('served'), highest),
    within(1_000, 'ms', `${p99} at ten times the highest rate`, overloaded(p99)),
  ];
};

/** The work that the service does during the measurement. */
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
  LAG_WORKS.map((variant) =>
    within(50, 'ms', `slowest /healthz: ${variant}`, at('lag', variant, 'slowest /healthz')),
  );

/** What the callers do, or what happens to the sessions that they watch. */
export type WatchVariant =
  | 'no callers'
  | 'waiting'
  | 'renewed every 55 s'
  | 'changed in the same process'
  | 'changed in another process';

const watchTargets = (): Target[] => {
  const watch = (variant: WatchVariant, metric: string) => at('watch', variant, metric);
  const busy = (variant: WatchVariant) => watch(variant, 'service busy');
  const memory = watch('waiting', 'memory per caller');
  const change = (where: 'the same' | 'another') => watch(`changed in ${where} process`, 'p99');
  return [
    within(1, '%', 'service busy while all callers wait', busy('waiting')),
    within(10, '%', 'service busy while each caller renews every 55 s', busy('renewed every 55 s')),
    within(40_000, 'bytes', 'memory of a waiting caller', memory),
    within(50, 'ms', 'p99 from a change in the same process to the reply', change('the same')),
    within(1_000, 'ms', 'p99 from a change in another process to the reply', change('another')),
  ];
};

/** The receiver of the webhook during joins. */
export type WebhookVariant =
  | 'no webhook'
  | 'slow receiver'
  | 'failing receiver'
  | 'healthy receiver';

const webhookTargets = (): Target[] => {
  const compare = (variant: WebhookVariant, metric: string) =>
    [at('webhooks', variant, metric), at('webhooks', 'no webhook', metric)] as const;
  const receivers = ['slow receiver', 'failing receiver'] as const;
  return receivers.flatMap((receiver) => [
    atLeast(0.95, `joins with a ${receiver} over joins without`, ...compare(receiver, 'rate')),
    atMost(1.25, `p99 of joins with a ${receiver} over without`, ...compare(receiver, 'p99')),
  ]);
};

/** The players who join: registered players without a seat, players with a seat, and unregistered players. */
export type ClusterJoin = 'distinct' | 'rejoin' | 'first';
export type ClusterVariant = 'one node' | 'cluster';

const clusterTargets = (): Target[] => {
  const compare = (kind: ClusterJoin, metric: string) => {
    const variant = (name: ClusterVariant) => at(`cluster/${kind}`, name, metric);
    return [variant('cluster'), variant('one node')] as const;
  };
  const cost = (kind: ClusterJoin, who: string) =>
    atMost(2, `CPU of all for ${who}, over one node`, ...compare(kind, 'CPU of all'));
  const rate = 'joins of registered players on a cluster over one node';
  return [
    cost('distinct', 'a registered player'),
    cost('rejoin', 'a player who has a seat'),
    cost('first', 'a new player'),
    atLeast(0.5, rate, ...compare('distinct', 'rate')),
  ];
};

/** The calls that are measured: a procedure, and how it is called where that matters. */
export type SessionCall = keyof typeof SESSION_CALLS | 'join/distinct';

/** The processor time of the service for each call, at most this many times that of a join. */
const SESSION_CALLS = {
  'sessions.create, no players': 4,
  'sessions.create, six players': 4,
  'sessions.invitePlayer': 2,
  'sessions.setInstance': 2,
  'sessions.end': 2,
  'sessions.get': 1,
  'sessions.find': 1,
  'sessions.find, unchanged': 0.7,
};

/** The numbers of live sessions with which lists are compared. */
export const LIVE_SESSIONS = (many: number) => ({ few: Math.max(many / 100, 100), many });

const sessionTargets = ({ liveSessions }: Sizes): Target[] => {
  const { few, many } = LIVE_SESSIONS(liveSessions);
  const cpu = (call: SessionCall) => at('sessions', call, 'service CPU');
  const live = (variant: string, metric: string) => at('sessions/live', variant, metric);
  const rest = many - few;
  return [
    ...Object.entries(SESSION_CALLS).map(([call, limit]) =>
      atMost(limit, `CPU of ${call}, over a join`, cpu(call as SessionCall), cpu('join/distinct')),
    ),
    within(
      180,
      's',
      `creating ${countInWords(rest)} sessions`,
      live(`createMany, ${rest} sessions`, 'made in'),
    ),
    ...['list', 'count'].flatMap((name) =>
      [few, many].map((size) => {
        const of = live(`${name}, ${size} live`, 'p50');
        return within(
          20,
          'ms',
          `sessions.${name} by fill among ${countInWords(size)} sessions`,
          of,
        );
      }),
    ),
  ];
};

const LISTS: Record<BenchmarkName, (sizes: Sizes) => Target[]> = {
  startup: startupTargets,
  join: (sizes) => [...joinTargets(), ...memoryTargets(sizes)],
  history: historyTargets,
  overload: overloadTargets,
  sessions: sessionTargets,
  lag: lagTargets,
  watch: watchTargets,
  webhooks: webhookTargets,
  cluster: clusterTargets,
};

/** The targets of the selected groups: a value that was not selected is not missing. */
export const listTargets = (
  sizes: Sizes,
  groups: readonly BenchmarkName[] = BENCHMARKS,
): Target[] => groups.flatMap((group) => LISTS[group](sizes));

/** Null where a value was not measured. */
export const judge = (report: Report, target: Target): Outcome => {
  const above = findMeasurement(report, target.of, target.of.metric)?.rounds;
  const below = target.over && findMeasurement(report, target.over, target.over.metric)?.rounds;
  if (!above || (target.over && !below)) return { target, value: null, holds: null };
  const value = below ? ratioOf(above, below) : spreadOf(above);
  const holds = target.bound === '≥' ? value.median >= target.limit : value.median <= target.limit;
  return { target, value, holds };
};
