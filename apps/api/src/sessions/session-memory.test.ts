import { expect, test } from 'vitest';
import { createSessionState } from './new-session.ts';
import { createSessionMemory } from './session-memory.ts';
import type { SessionState } from './session-state.ts';

const sessionOf = (sessionId: string, customData: Record<string, string> = {}): SessionState =>
  createSessionState(
    {
      ...{ type: 'duel', joinable: true, custom_data: customData },
      ...{ teams: [{ max_size: 4 }], platform_session: [] },
    },
    { sessionId, incarnation: 'a', at: new Date() },
  );

const MANY = Array.from({ length: 600 }, (_, n) => sessionOf(`session-${n}`));

test('what was used least recently goes first, when the bytes are used up', () => {
  const memory = createSessionMemory({ maxBytes: 200_000 });
  const [first, second] = MANY as [SessionState, SessionState];
  for (const session of MANY) {
    memory.remember(session);
    memory.recall(first.key);
  }
  expect(memory.recall(first.key)).toEqual(first);
  expect(memory.recall(second.key)).toBeUndefined();
  const last = MANY.slice(-200);
  expect(last.map(({ key }) => memory.recall(key))).toEqual(last);
  expect(memory.count()).toBeLessThan(MANY.length);
});

test('what comes back is what was remembered last', () => {
  const memory = createSessionMemory({ maxBytes: 400_000 });
  const newer = MANY.map((session) => ({ ...session, version: 7 }));
  for (const session of MANY.slice(0, 300)) memory.remember(session);
  for (const session of newer.slice(0, 300)) memory.remember(session);
  const recalled = newer.slice(0, 300).map(({ key }) => memory.recall(key));
  expect(recalled).toEqual(newer.slice(0, 300));
  for (const { key } of MANY) memory.forget(key);
  expect(MANY.filter(({ key }) => memory.recall(key))).toEqual([]);
});

test('a session larger than the whole memory is not kept, and pushes nothing out', () => {
  const memory = createSessionMemory({ maxBytes: 64_000 });
  const small = sessionOf('small');
  const large = sessionOf('large', { blob: 'x'.repeat(100_000) });
  memory.remember(small);
  memory.remember(large);
  expect(memory.recall(large.key)).toBeUndefined();
  expect(memory.recall(small.key)).toEqual(small);
});

test('the session that was remembered or recalled last is not unpacked again', () => {
  const memory = createSessionMemory();
  const [first, second] = MANY as [SessionState, SessionState];
  memory.remember(first);
  expect(memory.recall(first.key)).toBe(first);
  memory.remember(second);
  const recalled = memory.recall(first.key);
  expect(recalled).not.toBe(first);
  expect(memory.recall(first.key)).toBe(recalled);
  const newer = { ...first, version: 2 };
  memory.remember(newer);
  expect(memory.recall(first.key)).toBe(newer);
  memory.forget(first.key);
  expect(memory.recall(first.key)).toBeUndefined();
});

test('a session that has grown too large to be kept is forgotten as it was before', () => {
  const memory = createSessionMemory({ maxBytes: 64_000 });
  const session = sessionOf('grows');
  memory.remember(session);
  memory.remember({ ...sessionOf('grows', { blob: 'x'.repeat(100_000) }), version: 2 });
  expect(memory.recall(session.key)).toBeUndefined();
});

test('a contested session is remembered again after a while', async () => {
  const memory = createSessionMemory({ contestedMs: 30 });
  const session = sessionOf('contested');
  memory.remember(session);
  memory.contest(session.key);
  memory.remember(session);
  expect(memory.recall(session.key)).toBeUndefined();
  await expect
    .poll(() => {
      memory.remember(session);
      return memory.recall(session.key);
    })
    .toBe(session);
});

test('forgets what it is told to forget', () => {
  const memory = createSessionMemory();
  const session = sessionOf('forgotten');
  memory.remember(session);
  memory.forget(session.key);
  expect(memory.recall(session.key)).toBeUndefined();
});
