import { expect, test } from 'vitest';
import { limitRefusals, MAX_PER_PLAYER, MAX_PER_SESSION } from './refusal-limit.ts';
import type { RefusedJoin } from './refusal-store.ts';

const AT = Date.parse('2026-03-14T09:00:00.000Z');

const open = () => {
  const recorded: RefusedJoin[] = [];
  let capped = 0;
  const { record } = limitRefusals({ record: (refusal) => recorded.push(refusal) }, () => {
    capped += 1;
  });
  const refuse = (playerUuid: string, sessionKey = 'session', minute = 0): void =>
    record({
      ...{ sessionKey, playerUuid, accountId: playerUuid, errorCode: 'team_full', desc: 'Full.' },
      ...{ teamId: 0, at: new Date(AT + minute * 60_000) },
    });
  return { recorded, refuse, countCapped: () => capped };
};

test('of a player some refusals are recorded per session and hour, the rest is counted', () => {
  const { recorded, refuse, countCapped } = open();
  for (let index = 0; index < 1_000; index += 1) refuse('ana');
  expect(recorded).toHaveLength(MAX_PER_PLAYER);
  expect(countCapped()).toBe(1_000 - MAX_PER_PLAYER);
  refuse('ben');
  refuse('ana', 'another session');
  expect(recorded).toHaveLength(MAX_PER_PLAYER + 2);
  refuse('ana', 'session', 59);
  expect(recorded).toHaveLength(MAX_PER_PLAYER + 2);
  refuse('ana', 'session', 60);
  expect(recorded).toHaveLength(MAX_PER_PLAYER + 3);
});

test('the last one that is recorded of a player says so', () => {
  const { recorded, refuse } = open();
  for (let index = 0; index < 2 * MAX_PER_PLAYER; index += 1) refuse('ana');
  const marked = recorded.map(({ isLastOfHour }) => isLastOfHour ?? false);
  expect(marked).toEqual([...Array(MAX_PER_PLAYER - 1).fill(false), true]);
});

test('of a session some hundreds are recorded per hour, however many players are refused', () => {
  const { recorded, refuse, countCapped } = open();
  for (let player = 0; player < 5_000; player += 1) refuse(`player ${player}`);
  expect(recorded).toHaveLength(MAX_PER_SESSION);
  expect(countCapped()).toBe(5_000 - MAX_PER_SESSION);
});
