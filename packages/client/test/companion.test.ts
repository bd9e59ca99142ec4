import { expect, test } from 'vitest';
import { isServiceError, UnexpectedAnswerError } from '../src/index.ts';
import { startClient } from './start/start-client.ts';

const PLAYER = '5f0c8f2e-3f4b-4d65-9d0a-1c1f5f2b7a01';
const NAME = { type: 'social hub', session_id: 'a/b' };
const PATH = '/session/v1/session/social%20hub/a%2Fb';
const SESSION = { type: 'social hub', session_id: 'a/b', teams: [] };
const REFUSAL = { auth_success: true, error_code: 'session_busy', desc: 'Busy.' };

test('a read names the session in its path and returns it with the ETag', async () => {
  const { client, received } = await startClient([{ body: SESSION, headers: { etag: '"v1"' } }]);
  const read = await client.readSession(NAME);
  expect(read).toMatchObject({ session: SESSION, etag: '"v1"' });
  expect(received[0]).toMatchObject({ method: 'GET', target: PATH, body: '' });
  expect(received[0]!.headers).not.toHaveProperty('if-none-match');
});

test('a conditional read has no session while it is unchanged', async () => {
  const headers = { etag: '"v1"' };
  const { client, received } = await startClient([{ status: 304, headers, body: '' }]);
  const read = await client.readSession({ ...NAME, if_none_match: '"v1"' });
  expect(read).toMatchObject({ session: null, etag: '"v1"' });
  expect(received[0]!.headers).toMatchObject({ 'if-none-match': '"v1"' });
});

test('a read that waits names the time in its query', async () => {
  const { client, received } = await startClient([{ body: SESSION }]);
  const request = { ...NAME, if_none_match: '"v1"', wait: 25 };
  expect((await client.readSession(request)).session).toEqual(SESSION);
  expect(received[0]!.target).toBe(`${PATH}?wait=25`);
});

test('a list names the player and returns the references', async () => {
  const sessions = [{ ...NAME, status: 'member', team_id: 0, platform_session: [] }];
  const { client, received } = await startClient([{ body: { sessions } }]);
  expect(await client.listPlayerSessions({ player_uuid: PLAYER })).toMatchObject({ sessions });
  expect(received[0]!.target).toBe(`/session/v1/player/${PLAYER}/session`);
});

test('a player leaves with a DELETE that is repeated while the session is busy', async () => {
  const busy = { status: 409, body: REFUSAL, headers: { 'retry-after': '1' } };
  const { client, received } = await startClient([busy, { status: 204, body: '' }]);
  await expect(client.leaveSession({ ...NAME, player_uuid: PLAYER })).resolves.toBeUndefined();
  expect(received).toHaveLength(2);
  const target = `${PATH}/player/${PLAYER}`;
  for (const request of received) expect(request).toMatchObject({ method: 'DELETE', target });
});

test('an unknown session is a refusal, and 200 from another program no answer to a leave', async () => {
  const body = { ...REFUSAL, error_code: 'session_not_found' };
  const { client } = await startClient([{ status: 404, body }, { body: {} }]);
  const error = await client.readSession(NAME).catch((reason: unknown) => reason);
  expect(isServiceError(error, 'session_not_found')).toBe(true);
  const left = client.leaveSession({ ...NAME, player_uuid: PLAYER });
  await expect(left).rejects.toBeInstanceOf(UnexpectedAnswerError);
});

test.each(['type', 'session_id'])('refuses an empty %s', async (name) => {
  const { client, received } = await startClient([{}]);
  await expect(client.readSession({ ...NAME, [name]: '' })).rejects.toThrow(TypeError);
  expect(received).toEqual([]);
});
