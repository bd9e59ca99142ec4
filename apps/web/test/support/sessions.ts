// Joins like a game client: plain HTTP to the public endpoint.
import { randomUUID } from 'node:crypto';
import { signToken } from './service.ts';
import type { Web } from './web.ts';

type TestSession = { type: string; session_id: string; platformSessionId: string };

/** A session on Steam with two teams of two; `change` overrides members. */
export const createSession = async (web: Web, change: object = {}): Promise<TestSession> => {
  const platformSessionId = randomUUID();
  const { session } = await web.call<{ session: { type: string; session_id: string } }>(
    'sessions.create',
    {
      type: 'duel',
      teams: [{ max_size: 2 }, { max_size: 2 }],
      platform_session: [
        {
          platform: 'Steam',
          platform_session_type: 'lobby',
          platform_session_id_base64: platformSessionId,
        },
      ],
      ...change,
    },
  );
  return { type: session.type, session_id: session.session_id, platformSessionId };
};

/** The members by which the admin API names a session. */
export const nameOf = ({ type, session_id }: TestSession) => ({ type, session_id });

export const registerPlayer = async (web: Web, display_name: string): Promise<string> => {
  const player_uuid = randomUUID();
  await web.call('players.register', { player_uuid, display_name });
  return player_uuid;
};

/** Joins a Steam session with the player's own token. Returns the status. */
export const sendJoin = async (
  web: Web,
  { platformSessionId }: TestSession,
  player: string,
  change: object = {},
): Promise<number> => {
  const target = { platform: 'Steam', platformSessionId };
  return (await requestJoin(web, target, player, change)).status;
};

export const requestJoin = (
  web: Web,
  { platform, platformSessionId }: { platform: string; platformSessionId: string },
  player: string,
  change: object,
): Promise<Response> =>
  fetch(
    `${web.baseUrl}/session/v1/platform/${platform}/platform-session/${platformSessionId}/player/${player}`,
    {
      method: 'POST',
      headers: {
        authorization: `Bearer ${signToken(player, ['session:update-player:self'])}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({
        client_version: '1.4.2',
        client_settings: { platform, input: 'gamepad' },
        team_id: 0,
        ...change,
      }),
    },
  );

/** The path of the session's page. */
export const pathOf = ({ type, session_id }: TestSession): string =>
  `/sessions/${type}/${session_id}`;
