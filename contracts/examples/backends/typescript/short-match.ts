// One match of two players, from its creation to its end.
// node short-match.ts <player_uuid> <player_uuid>; reads MUSTER_URL and MUSTER_KEY.
import { randomUUID } from 'node:crypto';
import { AdminApiError, createAdminClient } from '@muster/admin-client';
import { createRepeatableCall } from './repeat-call.ts';

const { MUSTER_URL = 'http://127.0.0.1:3000', MUSTER_KEY = '' } = process.env;
const call = createRepeatableCall(
  createAdminClient({ baseUrl: MUSTER_URL, token: MUSTER_KEY, timeoutMs: 40_000 }),
);

const print = (line: string): void => void process.stdout.write(`${line}\n`);

const playMatch = async (players: readonly string[]): Promise<boolean> => {
  const session_id = `match-${randomUUID()}`;
  const match = { type: 'duel', session_id };
  const lobby = Buffer.from(session_id).toString('base64url');

  // The session with its seats. `joinable: false`: only these players may join.
  await call('sessions.create', {
    ...match,
    joinable: false,
    teams: [{ max_size: 1 }, { max_size: 1 }],
    platform_session: [
      {
        platform: 'Steam',
        platform_session_type: 'lobby',
        platform_session_id_base64: lobby,
      },
    ],
    players: players.map((player_uuid, team_id) => ({ player_uuid, team_id, status: 'reserved' })),
  });
  print(`created: ${session_id}`);

  try {
    await call('sessions.invitePlayer', { ...match, player_uuid: randomUUID(), team_id: 0 });
  } catch (error) {
    if (!(error instanceof AdminApiError)) throw error;
    print(`refused: ${error.status} ${error.code}`);
  }

  // A server from the fleet. A client must have its version.
  await call('sessions.setInstance', {
    ...match,
    instance: {
      instance_id: `server-${randomUUID()}`,
      host_type: 'dedicated',
      join_status: 'allocated',
      version: '1.4.0',
      join_params: {
        public_conn_str: '203.0.113.7:7777',
        private_conn_str: '203.0.113.7:7777?password=secret',
      },
    },
  });
  await call('sessions.setInstanceStatus', { ...match, join_status: 'joinable' });
  print(`joinable: ${lobby}`);

  const isComplete = await waitForPlayers(match, players.length);
  print(isComplete ? 'seated: all players' : 'seated: some are missing');

  await call('sessions.end', match);
  print('ended');
  return isComplete;
};

/** Returns whether all players have joined. A watch returns at once when the session changes. */
const waitForPlayers = async (
  match: { type: string; session_id: string },
  count: number,
): Promise<boolean> => {
  let etag: string | undefined;
  const deadline = performance.now() + 120_000;
  while (performance.now() < deadline) {
    const found = await call('sessions.watch', {
      ...match,
      ...(etag !== undefined && { if_none_match: etag }),
      wait_seconds: 10,
    });
    if (!found) return false;
    if ('unchanged' in found) continue;
    if (found.ended) return false;
    etag = found.etag;
    const seated = found.session.teams
      .flatMap((team) => team.players)
      .filter(({ status }) => status === 'leader' || status === 'member');
    if (seated.length === count) return true;
  }
  return false;
};

const players = process.argv.slice(2);
if (players.length !== 2) {
  process.stderr.write('Usage: node short-match.ts <player_uuid> <player_uuid>\n');
  process.exitCode = 2;
} else if (!(await playMatch(players))) {
  process.exitCode = 1;
}
