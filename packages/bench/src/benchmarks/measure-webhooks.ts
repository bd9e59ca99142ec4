// webhooks: joins with a webhook whose receiver is slow, fails or is healthy, next to joins without a webhook in the same round.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { ServerProcess } from '../peers/start-peers.ts';
import { createJoinDatabase } from '../postgres/join-data.ts';
import { callAdmin } from '../requests/identities.ts';
import type { WebhookVariant } from '../results/targets.ts';
import type { BenchContext } from './bench-context.ts';
import { rotate, using, withService } from './bench-context.ts';
import type { JoinBlock } from './join-variants.ts';
import { addCpu, addLatency, checkAllSeated, measureLoad, prepareFor } from './measure-joins.ts';

const DATABASE = 'bench_webhooks';
const KINDS = ['session_full', 'player_joined', 'leader_changed'];
/** Shortly before Muster gives up. */
const SLOW_MS = 14_000;

/** On a machine that does other work. */
const FIRST_REQUEST_MS = 10_000;

type Receiver = { status: number; delayMs: number };
type Variant = readonly [WebhookVariant, Receiver | null];
const COMPARED: readonly Variant[] = [
  ['no webhook', null],
  ['slow receiver', { status: 204, delayMs: SLOW_MS }],
  ['failing receiver', { status: 500, delayMs: 0 }],
];
/** Without a goal: a healthy receiver gets the deliveries that its owner ordered. Last in each round, since it leaves the most behind. */
const HEALTHY: Variant = ['healthy receiver', { status: 204, delayMs: 0 }];

/** Each variant follows each other one in some round. */
const order = (round: number): Variant[] => [
  ...rotate(round % 2 === 0 ? COMPARED : COMPARED.toReversed(), round),
  HEALTHY,
];

export const measureWebhooks = async (context: BenchContext): Promise<void> => {
  const { plan, postgres, say } = context;
  const { warmUp, rounds, players } = planBlocks(plan);
  const { sessions } = warmUp;
  say(`Making ${sessions.count} sessions and ${players} players …`);
  await createJoinDatabase(postgres, DATABASE, { players, sessions: [sessions] });
  await withService(context, DATABASE, (server) => measure(context, server, warmUp, rounds), {
    env: { WEBHOOK_ALLOW_PRIVATE: '1' },
  });
};

const measure = async (
  context: BenchContext,
  server: ServerProcess,
  warmUp: JoinBlock,
  rounds: readonly JoinBlock[][],
): Promise<void> => {
  await prepareFor(context, { requests: 'joins' }, warmUp);
  await run(context, server, warmUp);
  for (const [round, blocks] of rounds.entries()) {
    context.checkTime();
    context.say(`Webhooks, round ${round + 1} of ${rounds.length} …`);
    for (const [variant, receiver] of order(round)) {
      const block = blocks.pop() ?? warmUp;
      await prepareFor(context, { requests: 'joins' }, block);
      const measureOne = () => measureVariant(context, server, variant, block);
      if (receiver) await withWebhook(context, server, receiver, measureOne);
      else await measureOne();
    }
  }
};

/** Each variant of each round has players of its own, who join the same sessions. */
const planBlocks = ({ sessions, rounds, joinsPerRound }: BenchContext['plan']) => {
  const players = Math.ceil(joinsPerRound / 2);
  const count = Math.ceil(sessions / 4);
  let made = 0;
  const block = (): JoinBlock => {
    const firstPlayer = made * players;
    made += 1;
    return { sessions: { first: 0, count, teams: 2, teamSize: 100 }, firstPlayer, players };
  };
  const warmUp = block();
  return {
    warmUp,
    rounds: Array.from({ length: rounds }, () => order(0).map(block)),
    players: made * players,
  };
};

const run = (context: BenchContext, server: ServerProcess, { players }: JoinBlock) => {
  const { connections, roundSeconds: maxSeconds } = context.plan;
  const job = { connections, firstRequest: 0, maxRequests: players, maxSeconds };
  return measureLoad(context, server, job);
};

const measureVariant = async (
  context: BenchContext,
  server: ServerProcess,
  variant: WebhookVariant,
  block: JoinBlock,
): Promise<void> => {
  const where = { benchmark: 'webhooks', variant };
  const measured = await run(context, server, block);
  context.say(`${variant}: ${Math.round(measured.perSecond)} per second`);
  context.results.add(where, 'rate', 'per second', measured.perSecond);
  addLatency(context, where, measured);
  addCpu(context, where, measured);
  checkAllSeated(context, where, measured);
};

/** The webhook begins with the next event. Its deliveries end with it. */
const withWebhook = (
  context: BenchContext,
  server: ServerProcess,
  receiver: Receiver,
  work: () => Promise<void>,
): Promise<void> =>
  using(startReceiver(receiver), async ({ url, count }) => {
    const input = { url, kinds: KINDS };
    type Created = { webhook_id: string };
    const { webhook_id } = await callAdmin<Created>(context, server, 'webhooks.create', input);
    try {
      await work();
      const until = performance.now() + FIRST_REQUEST_MS;
      while (count() === 0 && performance.now() < until) await delay(100);
      const where = { benchmark: 'webhooks', variant: 'all' };
      context.results.check(where, 'the receiver gets requests', count() > 0);
    } finally {
      await callAdmin(context, server, 'webhooks.delete', { webhook_id });
    }
  });

const startReceiver = async ({ status, delayMs }: Receiver) => {
  let count = 0;
  const server = createServer(async (request, response) => {
    count += 1;
    request.resume();
    if (delayMs > 0) await delay(delayMs, undefined, { ref: false });
    response.writeHead(status).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    count: () => count,
    stop: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
};
