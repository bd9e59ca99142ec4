import { expect, test } from 'vitest';
import { createSessionState } from './new-session.ts';
import { createSessionMemory, estimateBytes } from './session-memory.ts';
import type { SessionState } from './session-state.ts';

const sessionOf = (sessionId: string, customData: Record<string, string> = {}): SessionState =>
  createSessionState(
    {
      ...{ type: 'duel', joinable: true, custom_data: customData },
      ...{ teams: [{ max_size: 4 }], platform_session: [] },
    },
    { sessionId, incarnation: 'a', at: new Date() },
  );

test('what was used least recently goes first, when the bytes are used up', () => {
  const sessions = ['a', 'b', 'c', 'd'].map((id) => sessionOf(id));
  const maxBytes = sessions.slice(1).reduce((bytes, session) => bytes + estimateBytes(session), 0);
  const memory = createSessionMemory({ maxBytes });
  for (const session of sessions.slice(0, 3)) memory.remember(session);
  memory.recall(sessions[0]!.key);
  memory.remember(sessions[3]!);
  const remembered = sessions.map(({ key }) => memory.recall(key) !== undefined);
  expect(remembered).toEqual([true, false, true, true]);
});

test('a session larger than the whole memory is not kept, and pushes nothing out', () => {
  const memory = createSessionMemory({ maxBytes: 10_000 });
  const small = sessionOf('small');
  const large = sessionOf('large', { blob: 'x'.repeat(20_000) });
  memory.remember(small);
  memory.remember(large);
  expect(memory.recall(large.key)).toBeUndefined();
  expect(memory.recall(small.key)).toBe(small);
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
