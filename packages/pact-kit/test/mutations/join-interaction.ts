// What the correct pacts about joins are made of.
import type { Interaction, Json, SpecificationVersion } from './write-pact.ts';
import { like, regex } from './write-pact.ts';

export type CorrectPact = {
  name: string;
  version: SpecificationVersion;
  interactions: Interaction[];
};

export const PLAYER = '11111111-2222-4333-8444-555555555501';
export const OTHER_PLAYER = '11111111-2222-4333-8444-555555555502';
export const UUID = '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$';
export const JSON_TYPE = { 'Content-Type': 'application/json' };
export const BODY = {
  client_version: '1.4.2',
  client_settings: { platform: 'Steam', input: 'gamepad' },
  team_id: 0,
};

export const joinPath = (platformSession: string, player = PLAYER): string =>
  `/session/v1/platform/Steam/platform-session/${platformSession}/player/${player}`;

export const join = (
  description: string,
  platformSession: string,
  states: Interaction['states'],
  response: Interaction['response'],
  request: Partial<Interaction['request']> = {},
): Interaction => ({
  description,
  states,
  request: {
    method: 'POST',
    path: joinPath(platformSession),
    headers: JSON_TYPE,
    body: BODY,
    ...request,
  },
  response,
});

export const session = (params?: Json): Interaction['states'][number] =>
  params ? { name: 'a session', params } : { name: 'a session' };

export const refusal = (
  status: number,
  error_code: string,
  rest: Json = {},
): Interaction['response'] => ({
  status,
  body: { error_code, desc: 'Why not.', ...rest },
  rules: { body: { '$.desc': like } },
});

export const BACKEND = {
  name: 'the caller',
  params: { sub: 'game-backend', permissions: ['session:*'] },
};

export const STATUS = regex('^(leader|member|invited|reserved)$');
