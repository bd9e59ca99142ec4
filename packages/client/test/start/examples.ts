// Requests that tests send where it does not matter what they say.
import type { JoinByPlatformSessionRequest } from '../../src/index.ts';

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

export const SANDBOX_ID = '0b9f2c1e-6a53-4e0b-8f57-2f6f0d3c9a10';
