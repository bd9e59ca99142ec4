// The join that tests send where it does not matter what it says.
import type { JoinByPlatformSessionRequest } from '@muster/client';

export const JOIN: JoinByPlatformSessionRequest = {
  platform: 'Steam',
  platform_session_id_base64: 'bXVzdGVyLXNlc3Npb24',
  player_uuid: '5f0c8f2e-3f4b-4d65-9d0a-1c1f5f2b7a01',
  body: {
    client_version: '1.4.2',
    client_settings: { platform: 'Steam', input: 'gamepad' },
    team_id: 0,
  },
};
