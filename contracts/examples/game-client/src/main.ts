// Joins a session twice, as a game does that crashed in between.
// node src/main.ts <platform_session_id_base64> <player_uuid> [team_id …]; MUSTER_URL, MUSTER_TOKEN
import { connectGame } from './connect-game.ts';
import type { JoinOutcome } from './join-game.ts';
import { joinGame, rejoinGame } from './join-game.ts';
import { writeMessage } from './player-messages.ts';

const [platform_session_id_base64, player_uuid, ...teams] = process.argv.slice(2);
const { MUSTER_URL = 'http://127.0.0.1:3000', MUSTER_TOKEN } = process.env;

const show = (outcome: JoinOutcome): void => {
  process.stdout.write(`${writeMessage(outcome)}\n`);
  if ('next' in outcome) process.exitCode = 1;
};

const play = async (id: string, player: string, token: string): Promise<void> => {
  const muster = connectGame({ baseUrl: MUSTER_URL, signIn: async () => token });
  const [team_id = 0, ...otherTeams] = teams.map(Number);
  const request = {
    platform: 'Steam',
    platform_session_id_base64: id,
    player_uuid: player,
    body: {
      client_version: '1.8.2',
      client_settings: { platform: 'Steam', input: 'gamepad' },
      team_id,
    },
  } as const;
  const outcome = await joinGame(muster, request, otherTeams);
  show(outcome);
  if (!('seat' in outcome)) return;
  const again = await rejoinGame(muster, outcome.seat);
  const isSame = 'seat' in again && again.seat === outcome.seat;
  process.stdout.write(`Joined again: ${isSame ? 'nothing has changed.' : writeMessage(again)}\n`);
};

if (!platform_session_id_base64 || !player_uuid || !MUSTER_TOKEN) {
  process.stderr.write(
    'Usage: MUSTER_TOKEN=… npm start -- <platform_session_id_base64> <player_uuid> [team_id …]\n',
  );
  process.exitCode = 2;
} else {
  await play(platform_session_id_base64, player_uuid, MUSTER_TOKEN);
}
