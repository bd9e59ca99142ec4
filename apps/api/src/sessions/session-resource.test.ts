import { expect, test } from 'vitest';
import { createSessionState } from './session-changes.ts';
import { enableResponseSharing, toResponseBody, toSessionResource } from './session-resource.ts';

const aSession = () =>
  createSessionState(
    { type: 'duel', joinable: true, teams: [{ max_size: 2 }], platform_session: [] },
    { sessionId: 'shared', incarnation: 'a', at: new Date() },
  );

test('responses with the same session use one frozen resource', () => {
  const session = aSession();
  enableResponseSharing(session);
  const [first, second] = [toResponseBody(session), toResponseBody(session)];
  expect(first).toBe(second);
  expect(Object.isFrozen(first)).toBe(true);
  expect(first).toEqual(toSessionResource(session));
});

test('a single response has its own resource', () => {
  const session = aSession();
  expect(toResponseBody(session)).not.toBe(toResponseBody(session));
  expect(Object.isFrozen(toResponseBody(session))).toBe(false);
});
