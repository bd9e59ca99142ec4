// Writes the pact: the game talks to Pact's mock server as it would to the service.
import { join } from 'node:path';
import { PactV4 } from '@pact-foundation/pact';
import { describe, expect, test } from 'vitest';
import { connectGame } from '../src/connect-game.ts';
import { joinGame, rejoinGame } from '../src/join-game.ts';
import type { Interaction } from './interactions.ts';
import { AUTHORIZATION, ETAG, INTERACTIONS, JSON_TYPE, refusal } from './interactions.ts';
import { JOIN } from './requests.ts';

const pact = new PactV4({
  consumer: 'game-client',
  provider: 'muster',
  dir: join(import.meta.dirname, '../pacts'),
  logLevel: 'error',
});

const PATH = `/session/v1/platform/Steam/platform-session/${JOIN.platform_session_id_base64}/player/${JOIN.player_uuid}`;

type Description = Omit<Interaction, 'outcome'>;

const describeToPact = ({ description, states, status, headers = {}, body }: Description) => {
  const interaction = pact.addInteraction().uponReceiving(description);
  for (const [name, parameters] of states) interaction.given(name, parameters);
  return interaction
    .withRequest('POST', PATH, (builder) => {
      builder.headers({ Authorization: AUTHORIZATION }).jsonBody(JOIN.body);
    })
    .willRespondWith(status, (builder) => {
      builder.headers(headers as Record<string, string>).jsonBody(body);
    });
};

const connect = (baseUrl: string, signIn = async () => 'token') => connectGame({ baseUrl, signIn });

describe('the game knows what to do after', () => {
  test.each(INTERACTIONS)('$description', async (interaction) => {
    await describeToPact(interaction).executeTest(async ({ url }) => {
      expect(await joinGame(connect(url), JOIN)).toMatchObject(interaction.outcome);
    });
  });
});

test('joining again after a crash gives the seat that the player had', async () => {
  const { player_uuid } = JOIN;
  await describeToPact({
    description: 'a join by the player who has the seat already',
    states: [['a session', { seats: [{ player_uuid }] }]],
    status: 200,
    headers: { 'Content-Type': JSON_TYPE, ETag: ETAG },
    body: { teams: [{ players: [{ player_uuid, status: 'leader' }] }, { players: [] }] },
  }).executeTest(async ({ url }) => {
    const outcome = await joinGame(connect(url), JOIN);
    if (!('seat' in outcome)) throw new Error('The player has no seat.');
    const again = await rejoinGame(connect(url), outcome.seat);
    expect(again).toEqual({ seat: outcome.seat });
  });
});

test('an expired token is refreshed once before the player has to sign in', async () => {
  const tokens = ['expired-1', 'expired-2'];
  await describeToPact({
    description: 'a join with an expired token',
    states: [['a session'], ['the caller', { credential: 'expired' }]],
    status: 403,
    headers: { 'Content-Type': JSON_TYPE },
    body: { ...refusal('auth_token_expired'), auth_success: false },
  }).executeTest(async ({ url }) => {
    const signIn = async () => tokens.shift() ?? 'one token too many';
    expect(await joinGame(connect(url, signIn), JOIN)).toMatchObject({ next: { step: 'sign-in' } });
    expect(tokens).toEqual([]);
  });
});
