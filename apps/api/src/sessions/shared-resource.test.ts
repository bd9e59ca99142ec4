import { expect, it } from 'vitest';
import { createSessionState } from './new-session.ts';
import { toSessionResource } from './session-resource.ts';
import { expectSharing, toAnswer } from './shared-resource.ts';

const aSession = () =>
  createSessionState(
    { type: 'duel', joinable: true, teams: [{ max_size: 2 }], platform_session: [] },
    { sessionId: 'shared', incarnation: 'a', at: new Date() },
  );

it('is one frozen resource for all who are answered with a session', () => {
  const session = aSession();
  expectSharing(session);
  const [first, second] = [toAnswer(session), toAnswer(session)];
  expect(first).toBe(second);
  expect(Object.isFrozen(first)).toBe(true);
  expect(first).toEqual(toSessionResource(session));
});

it('is a resource of its own where nobody else is answered', () => {
  const session = aSession();
  expect(toAnswer(session)).not.toBe(toAnswer(session));
  expect(Object.isFrozen(toAnswer(session))).toBe(false);
});
