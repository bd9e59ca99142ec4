// Players with the published client, each with a token of their own.
import type { Session } from '@muster/client';
import { createMusterClient } from '@muster/client';
import { signToken } from '../../../../packages/client/test/start/start-service.ts';

export type GameClient = {
  player_uuid: string;
  /** Joins, also again after a lost connection, and returns the session. */
  join: (platform_session_id_base64: string, team_id: number) => Promise<Session>;
  leave: (name: { type: string; session_id: string }) => Promise<void>;
};

export const connectPlayer = (baseUrl: string, player_uuid: string): GameClient => {
  const token = async () => signToken(player_uuid, ['session:update-player:self']);
  const muster = createMusterClient({ baseUrl, token });
  return {
    player_uuid,
    join: async (platform_session_id_base64, team_id) => {
      const { session } = await muster.joinByPlatformSession({
        platform: 'Steam',
        platform_session_id_base64,
        player_uuid,
        body: {
          client_version: '1.4.0',
          client_settings: { platform: 'Steam', input: 'gamepad' },
          team_id,
        },
      });
      return session;
    },
    leave: async (name) => {
      await muster.leaveSession({ ...name, player_uuid });
    },
  };
};
