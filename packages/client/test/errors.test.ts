import { describe, expect, expectTypeOf, test } from 'vitest';
import type { ServiceError } from '../src/index.ts';
import { isServiceError, MusterError } from '../src/index.ts';
import { JOIN, SANDBOX_ID } from './start/examples.ts';
import type { Step } from './start/scripted-server.ts';
import { refusal } from './start/scripted-server.ts';
import { startClient } from './start/start-client.ts';

const failWith = async (...script: [Step, ...Step[]]): Promise<unknown> => {
  const { client } = await startClient(script, { retry: { budgetMs: 0 } });
  return client.joinByPlatformSession(JOIN).then(
    () => expect.unreachable(),
    (error: unknown) => error,
  );
};

describe('a refusal', () => {
  test('carries code, sentence, status, request id and the time to wait', async () => {
    const headers = { 'retry-after': '3', 'x-request-id': 'r7' };
    const error = await failWith(refusal(409, 'team_full', { auth_success: true, headers }));
    expect(error).toBeInstanceOf(MusterError);
    expect(error).toMatchObject({
      name: 'ServiceError',
      kind: 'service',
      code: 'team_full',
      desc: 'A sentence.',
      authSuccess: true,
      status: 409,
      requestId: 'r7',
      retryAfterSeconds: 3,
      message: 'team_full: A sentence.',
    });
  });

  test('without auth_success counts as authenticated', async () => {
    expect(await failWith(refusal(404, 'player_not_found'))).toMatchObject({ authSuccess: true });
  });

  test('with a code that this version does not know keeps it', async () => {
    expect(await failWith(refusal(403, 'moon_phase'))).toMatchObject({ code: 'moon_phase' });
  });

  test('is distinguished by its code, and typed by it', async () => {
    const error = await failWith(refusal(409, 'session_full'));
    expect(isServiceError(error)).toBe(true);
    expect(isServiceError(error, 'team_full', 'session_full')).toBe(true);
    expect(isServiceError(error, 'team_full')).toBe(false);
    expect(isServiceError(new Error('team_full'), 'team_full')).toBe(false);
    if (isServiceError(error, 'team_full', 'session_full')) {
      expectTypeOf(error).toEqualTypeOf<ServiceError<'team_full' | 'session_full'>>();
    }
  });
});

test('422 lists every problem with its place', async () => {
  const detail = [
    { loc: ['body', 'team_id'], msg: 'Field is required', type: 'value_error.missing' },
    { loc: ['path', 'player_uuid'], msg: 'Must be a UUID', type: 'type_error.uuid' },
  ];
  expect(await failWith({ status: 422, body: { detail } })).toMatchObject({
    name: 'ValidationError',
    status: 422,
    detail,
    message:
      'The request is not valid. body.team_id: Field is required; path.player_uuid: Must be a UUID',
  });
});

describe('what is not an answer of the service', () => {
  test.each<[string, Step]>([
    [
      'a page of a gateway',
      { status: 502, headers: { 'content-type': 'text/html' }, body: '<html>' },
    ],
    ['an empty answer', { status: 200, body: '' }],
    ['JSON that is no object', { status: 200, body: '"fine"' }],
    ['an error in another format', { status: 422, body: { message: 'no' } }],
    ['a success of another kind', { status: 202, body: { session_id: 's', teams: [] } }],
    ['a success without a body', { status: 204, body: '' }],
  ])('%s is an UnexpectedAnswerError', async (_, step) => {
    expect(await failWith(step)).toMatchObject({
      name: 'UnexpectedAnswerError',
      kind: 'unexpected',
    });
  });

  test.each<Step>(['drop', 'cut'])(
    'a connection that breaks (%s) is a NetworkError',
    async (step) => {
      const error = await failWith(step);
      expect(error).toMatchObject({ name: 'NetworkError', status: undefined, requestId: null });
      expect((error as Error).cause).toBeInstanceOf(Error);
    },
  );
});

test('no answer within the time is a TimeoutError, also when a custom fetch ignores its signal', async () => {
  const { client } = await startClient(['hang'], { timeoutMs: 20, retry: { budgetMs: 0 } });
  await expect(client.joinByPlatformSession(JOIN)).rejects.toMatchObject({ name: 'TimeoutError' });
  const deaf = await startClient([{}], {
    fetch: () => new Promise(() => {}),
    retry: { budgetMs: 0 },
  });
  const listing = deaf.client.listItemHistory({ sandbox_id: SANDBOX_ID }, { timeoutMs: 20 });
  await expect(listing).rejects.toMatchObject({
    name: 'TimeoutError',
    message: 'No answer within 20 ms.',
  });
});

test('a time without end does not end', async () => {
  const { client } = await startClient([{ body: { session_id: 's', teams: [] } }], {
    timeoutMs: Infinity,
    retry: { budgetMs: 0 },
  });
  const { session } = await client.joinByPlatformSession(JOIN);
  expect(session.session_id).toBe('s');
});
