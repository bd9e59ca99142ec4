// The requests of victims and attackers, as bytes.
import { joinPath } from '../public-client.ts';

export type RawRequest = {
  method?: 'GET' | 'POST';
  path: string;
  token?: string;
  headers?: Readonly<Record<string, string>>;
  body?: string;
};

export const writeRequest = ({
  method = 'GET',
  path,
  token,
  headers = {},
  body,
}: RawRequest): string => {
  const lines = [`${method} ${path} HTTP/1.1`, 'Host: 127.0.0.1'];
  if (token !== undefined) lines.push(`Authorization: Bearer ${token}`);
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`);
  if (body !== undefined) {
    lines.push('Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`);
  }
  return `${lines.join('\r\n')}\r\n\r\n${body ?? ''}`;
};

export type Join = {
  session: string;
  player: string;
  token?: string;
  headers?: Readonly<Record<string, string>>;
  body: string;
};

export const writeJoin = ({ session, player, ...request }: Join): string =>
  writeRequest({ method: 'POST', path: joinPath(session, 'Steam', player), ...request });

type JoinBody = { teamId?: number; custom?: Readonly<Record<string, string>> };

export const writeJoinBody = ({ teamId = 0, custom }: JoinBody = {}): string =>
  JSON.stringify({
    status: 'member',
    client_version: '1.0.0',
    client_settings: { platform: 'Steam', input: 'gamepad' },
    team_id: teamId,
    crossplay_preferences: {
      permitted_platform: 'desired_platforms_any',
      permitted_input: 'desired_inputs_any',
    },
    custom_data: custom,
  });

export const historyPath = (sandbox: string, query: string): string =>
  `/v1/history/sandbox/${sandbox}/item/?${query}`;

/** Claims of the tokens that the issuer signs. */
export const ISSUER = 'https://issuer.example';
export const AUDIENCE = 'muster';

/** A token that is right in every part, but signed with a key that the issuer has not published. */
export const writeUnknownKeyToken = (player: string, keyId: string): string => {
  const claims = {
    sub: player,
    permissions: ['session:update-player:self'],
    iss: ISSUER,
    aud: AUDIENCE,
    exp: 4_102_444_800,
  };
  const parts = [JSON.stringify({ alg: 'EdDSA', kid: keyId, typ: 'JWT' }), JSON.stringify(claims)];
  const signature = Buffer.alloc(64, keyId).toString('base64url');
  return [...parts.map((part) => Buffer.from(part).toString('base64url')), signature].join('.');
};
