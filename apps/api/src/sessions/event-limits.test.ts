import { expect, test } from 'vitest';
import {
  limitRefusals,
  limitUpdates,
  MAX_PER_PLAYER,
  MAX_REFUSALS_PER_SESSION,
} from './event-limits.ts';
import type { RefusedJoin } from './refusal-store.ts';
import type { SessionEvent } from './session.ts';

const AT = Date.parse('2026-03-14T09:00:00.000Z');

const open = () => {
  const recorded: RefusedJoin[] = [];
  let capped = 0;
  const { record } = limitRefusals({ record: (refusal) => recorded.push(refusal) }, () => {
    capped += 1;
  });
  const refuse = (playerUuid: string, sessionKey = 'session', minute = 0): void =>
    record({
      sessionKey,
      playerUuid,
      accountId: playerUuid,
      errorCode: 'team_full',
      desc: 'Full.',
      teamId: 0,
      at: new Date(AT + minute * 60_000),
    });
  return { recorded, refuse, countCapped: () => capped };
};

test('records a limited number of refusals per player, session and hour, and counts the others', () => {
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

test('marks the last refusal that is recorded for a player', () => {
  const { recorded, refuse } = open();
  for (let index = 0; index < 2 * MAX_PER_PLAYER; index += 1) refuse('ana');
  const marked = recorded.map(({ isLastOfHour }) => isLastOfHour ?? false);
  expect(marked).toEqual([...Array(MAX_PER_PLAYER - 1).fill(false), true]);
});

test('records a limited number of refusals per session and hour for any number of players', () => {
  const { recorded, refuse, countCapped } = open();
  for (let player = 0; player < 5_000; player += 1) refuse(`player ${player}`);
  expect(recorded).toHaveLength(MAX_REFUSALS_PER_SESSION);
  expect(countCapped()).toBe(5_000 - MAX_REFUSALS_PER_SESSION);
});

const openUpdates = () => {
  let capped = 0;
  const limitNext = limitUpdates(() => {
    capped += 1;
  });
  return { limitNext, countCapped: () => capped };
};
const update = (playerUuid: string): SessionEvent => ({ kind: 'player_updated', playerUuid });

test('records a limited number of changes of the own seat per session and hour, and marks the last one', () => {
  const { limitNext, countCapped } = openUpdates();
  const recorded: SessionEvent[] = [];
  const change = (playerUuid: string, sessionKey = 'session', minute = 0): void => {
    const at = new Date(AT + minute * 60_000);
    const events = limitNext()([update(playerUuid)], sessionKey, at);
    // The feed has all of them.
    expect(events).toHaveLength(1);
    recorded.push(...events.filter(({ unlisted }) => !unlisted));
  };
  for (let index = 0; index < 1_000; index += 1) change('ana', 'session', index % 60);
  expect(recorded).toHaveLength(MAX_PER_PLAYER);
  expect(countCapped()).toBe(1_000 - MAX_PER_PLAYER);
  expect(recorded.filter(({ detail }) => detail?.last_of_hour)).toEqual([recorded.at(-1)]);
  change('ben');
  change('ana', 'another session');
  change('ana', 'session', 60);
  expect(recorded).toHaveLength(MAX_PER_PLAYER + 3);
});

test('counts a join once that is decided again after a conflict, and keeps its other events', () => {
  const { limitNext, countCapped } = openUpdates();
  const expiry: SessionEvent = { kind: 'seat_expired', playerUuid: 'ben' };
  for (let index = 0; index < MAX_PER_PLAYER; index += 1) {
    const limit = limitNext();
    for (let attempt = 0; attempt < 24; attempt += 1) {
      expect(limit([expiry, update('ana')], 'session', new Date(AT))).toHaveLength(2);
    }
  }
  const limit = limitNext();
  for (let attempt = 0; attempt < 24; attempt += 1) {
    expect(limit([expiry, update('ana')], 'session', new Date(AT))).toEqual([
      expiry,
      { ...update('ana'), unlisted: true },
    ]);
  }
  expect(countCapped()).toBe(1);
});
