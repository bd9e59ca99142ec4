// sessions: what admin calls of sessions cost, next to a join in the same round; and the pages of many live sessions.

import { createJoinDatabase, INSTANCE } from '../postgres/join-data.ts';
import { callAdmin, platformSessionIdOf, playerUuidOf } from '../requests/identities.ts';
import { writePost } from '../requests/join-requests.ts';
import type { SessionCall } from '../results/targets.ts';
import { LIVE_SESSIONS } from '../results/targets.ts';
import type { ServerProcess } from '../start-server.ts';
import type { BenchContext } from './bench-context.ts';
import { withService } from './bench-context.ts';
import type { JoinBlock } from './join-blocks.ts';
import { createAllocator, prepareJoins } from './join-blocks.ts';
import { addLatency, addRateAndCpu, checkAllSent, measureLoad } from './measure-load.ts';

const DATABASE = 'bench_sessions';
const LIVE_DATABASE = 'bench_live_sessions';

type Backend = { server: ServerProcess; key: string };

export const measureSessions = async (context: BenchContext): Promise<void> => {
  const { plan, postgres, say } = context;
  const blocks = planBlocks(plan);
  say(`Making ${blocks.warmUp.sessions.count} sessions and ${blocks.data.players} players …`);
  await createJoinDatabase(postgres, DATABASE, blocks.data);
  await withService(context, DATABASE, async (server) => {
    const backend = { server, key: await createKey(context, server) };
    await prepareJoins(context, blocks.warmUp);
    await measureLoad(context, server, { maxRequests: blocks.warmUp.players });
    await measureCalls(context, backend, blocks.warmUp, 'warm-up');
    for (const [round, block] of blocks.rounds.entries()) {
      context.checkTime();
      say(`Sessions, round ${round + 1} of ${blocks.rounds.length} …`);
      await prepareJoins(context, block);
      await measure(context, backend, 'join/distinct', block.players);
      await measureCalls(context, backend, block, String(round));
    }
  });
  await postgres.createFresh(LIVE_DATABASE);
  await withService(context, LIVE_DATABASE, async (server) => {
    await measureLists(context, { server, key: await createKey(context, server) });
  });
};

/** The players of all rounds join the same sessions, each player once. */
const planBlocks = ({ sessions, rounds, joinsPerRound }: BenchContext['plan']) => {
  const { newSessions, joins, data } = createAllocator();
  const all = newSessions(Math.ceil(sessions / 4));
  const block = () => joins(all, Math.ceil(joinsPerRound / 4));
  return { warmUp: block(), rounds: Array.from({ length: rounds }, block), data: data() };
};

const createKey = async (context: BenchContext, server: ServerProcess): Promise<string> => {
  type Account = { account_id: string };
  const { account_id } = await callAdmin<Account>(context, server, 'keys.createAccount', {
    name: 'Backend',
  });
  const input = { account_id, name: 'Backend', permissions: ['session:*'] };
  return (await callAdmin<{ key: string }>(context, server, 'keys.create', input)).key;
};

/** Returns the number of answers. */
const measure = async (
  context: BenchContext,
  { server }: Backend,
  variant: SessionCall,
  maxRequests: number,
): Promise<number> => {
  const measured = await measureLoad(context, server, { maxRequests });
  addRateAndCpu(context, { benchmark: 'sessions', variant }, measured);
  return measured.requests;
};

/** The life of as many sessions as can be created in a round. */
const measureCalls = async (
  context: BenchContext,
  backend: Backend,
  { firstPlayer, players }: JoinBlock,
  round: string,
): Promise<void> => {
  const { load, postgres } = context;
  const playerAt = (index: number) => playerUuidOf(firstPlayer + (index % players));
  const nameAt = (index: number) => ({ type: TYPE, session_id: `${round}-${index}` });
  const call = async (
    variant: SessionCall,
    count: number,
    inputAt: (index: number) => object,
  ): Promise<number> => {
    const [procedure = ''] = variant.split(', ');
    const texts = Array.from({ length: count }, (_, index) =>
      writeCall(backend, procedure, inputAt(index)),
    );
    await load.prepare({ kind: 'texts', texts });
    const isWarmUp = round === 'warm-up';
    return isWarmUp
      ? (await measureLoad(context, backend.server, { maxRequests: count })).requests
      : measure(context, backend, variant, count);
  };
  await call('sessions.create, no players', players, (index) => ({
    ...toSession(`empty-${round}-${index}`),
    session_id: `empty-${round}-${index}`,
  }));
  const created = await call('sessions.create, six players', players, (index) => ({
    ...toSession(`${round}-${index}`),
    session_id: `${round}-${index}`,
    players: Array.from({ length: 6 }, (_, seat) => ({
      player_uuid: playerAt(index * 6 + seat),
      team_id: seat % 2,
    })),
  }));
  await call('sessions.invitePlayer', created, (index) => ({
    ...nameAt(index),
    player_uuid: playerAt(index * 6 + 6),
    team_id: 0,
  }));
  await call('sessions.setInstance', created, (index) => ({
    ...nameAt(index),
    instance: INSTANCE,
  }));
  await call('sessions.get', created, nameAt);
  await call('sessions.find', created, nameAt);
  const etags = await postgres.run(DATABASE, SELECT_ETAGS, [TYPE, `${round}-%`]);
  await call('sessions.find, unchanged', created, (index) => ({
    ...nameAt(index),
    if_none_match: etags.find(({ session_id }) => session_id === nameAt(index).session_id)?.etag,
  }));
  await call('sessions.end', created, nameAt);
};

const TYPE = 'made';

const SELECT_ETAGS = `
  SELECT session_id, format('"%s-%s"', incarnation, version) AS etag FROM session
  WHERE type = $1 AND session_id LIKE $2`;

const toSession = (seed: string) => ({
  type: TYPE,
  teams: [
    { team_id: 0, max_size: 5 },
    { team_id: 1, max_size: 5 },
  ],
  platform_session: [
    {
      platform: 'Steam',
      platform_session_type: 'steam-lobby',
      platform_session_id_base64: platformSessionIdOf(seed),
    },
  ],
  custom_data: { map: 'Glass Harbour' },
});

const writeCall = ({ key }: Backend, procedure: string, input: object): string =>
  writePost(`/admin/trpc/${procedure}`, key, JSON.stringify(input));

/** Lists and counts of the sessions with free seats, which are half of all. */
const measureLists = async (context: BenchContext, backend: Backend): Promise<void> => {
  const { few, many } = LIVE_SESSIONS(context.plan.liveSessions);
  await createLive(context, backend, few);
  await measurePages(context, backend, few);
  await createLive(context, backend, many - few);
  await measurePages(context, backend, many);
};

const PER_CALL = 100;
const CREATORS = 4;

const createLive = async (context: BenchContext, backend: Backend, count: number) => {
  const { load, results, say } = context;
  const sessions = Array.from({ length: PER_CALL }, (_, index) => ({
    type: TYPE,
    teams: [{ team_id: 0, max_size: 5 }],
    players: index % 2 === 0 ? [] : [{ player_uuid: playerUuidOf(index), team_id: 0 }],
  }));
  await load.prepare({
    kind: 'texts',
    texts: [writeCall(backend, 'sessions.createMany', { sessions })],
  });
  const maxRequests = count / PER_CALL;
  const job = { connections: CREATORS, maxRequests, maxSeconds: 1_200 };
  const measured = await measureLoad(context, backend.server, job);
  say(`${count} sessions by createMany: ${Math.round(measured.seconds)} s`);
  const where = { benchmark: 'sessions/live', variant: `createMany, ${count} sessions` };
  results.add(where, 'made in', 's', measured.seconds);
  checkAllSent(context, where, measured, maxRequests);
};

const measurePages = async (context: BenchContext, { server, key }: Backend, live: number) => {
  const { load, postgres } = context;
  await postgres.run(LIVE_DATABASE, 'VACUUM ANALYZE');
  for (const name of ['list', 'count']) {
    const text = writeCall({ server, key }, `sessions.${name}`, { fill: 'open' });
    await load.prepare({ kind: 'texts', texts: [text] });
    const job = { connections: 1, maxRequests: 200, maxSeconds: 30 };
    const measured = await measureLoad(context, server, job);
    addLatency(context, { benchmark: 'sessions/live', variant: `${name}, ${live} live` }, measured);
  }
};
