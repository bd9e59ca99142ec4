// webhooks: joins with a webhook whose receiver is slow, fails or is healthy, next to joins without a webhook in the same round.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { createJoinDatabase } from '../postgres/join-data.ts';
import { callAdmin } from '../requests/identities.ts';
import type { WebhookVariant } from '../results/targets.ts';
import type { ServerProcess } from '../start-server.ts';
import type { BenchContext } from './bench-context.ts';
import { rotate, using, withService } from './bench-context.ts';
import type { JoinBlock } from './join-blocks.ts';
import { createAllocator, prepareJoins } from './join-blocks.ts';
import { addRateAndCpu, measureLoad } from './measure-load.ts';

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
  const { warmUp, rounds, data } = planBlocks(plan);
  say(`Making ${warmUp.sessions.count} sessions and ${data.players} players …`);
  await createJoinDatabase(postgres, DATABASE, data);
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
  await prepareJoins(context, warmUp);
  await measureLoad(context, server, { maxRequests: warmUp.players });
  for (const [round, blocks] of rounds.entries()) {
    context.checkTime();
    context.say(`Webhooks, round ${round + 1} of ${rounds.length} …`);
    for (const [variant, receiver] of order(round)) {
      const block = blocks.pop() ?? warmUp;
      await prepareJoins(context, block);
      const measureOne = () => measureVariant(context, server, variant, block);
      if (receiver) await withWebhook(context, server, receiver, measureOne);
      else await measureOne();
    }
  }
};

/** Each variant of each round has players of its own, who join the same sessions. */
const planBlocks = ({ sessions, rounds, joinsPerRound }: BenchContext['plan']) => {
  const { newSessions, joins, data } = createAllocator();
  const all = newSessions(Math.ceil(sessions / 4));
  const block = () => joins(all, Math.ceil(joinsPerRound / 2));
  return {
    warmUp: block(),
    rounds: Array.from({ length: rounds }, () => order(0).map(block)),
    data: data(),
  };
};

const measureVariant = async (
  context: BenchContext,
  server: ServerProcess,
  variant: WebhookVariant,
  { players }: JoinBlock,
): Promise<void> => {
  const measured = await measureLoad(context, server, { maxRequests: players });
  addRateAndCpu(context, { benchmark: 'webhooks', variant }, measured);
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
