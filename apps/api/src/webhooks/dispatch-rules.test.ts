import { describe, expect, test } from 'vitest';
import type { StoredEvent } from '../events/index.ts';
import { groupEvents, retryDelayMs } from './dispatch-rules.ts';

const event = (session_id: string, event_id: string): StoredEvent => ({
  event_id,
  occurred_at: '2026-01-01T00:00:00Z',
  account_id: 'a',
  kind: 'player_joined',
  type: 'duel',
  session_id,
});

describe('events of a page', () => {
  test('become deliveries of one session each, in order', () => {
    const groups = groupEvents([event('a', '1'), event('b', '2'), event('a', '3')]);
    expect(groups.map(({ events }) => events.map(({ event_id }) => event_id))).toEqual([
      ['1', '3'],
      ['2'],
    ]);
  });

  test('have at most 100 to a delivery, and first fill the room of a pending one', () => {
    const events = Array.from({ length: 230 }, (_, index) => event('a', String(index)));
    const sizes = groupEvents(events).map((group) => group.events.length);
    expect(sizes).toEqual([100, 100, 30]);
    const room = new Map([[JSON.stringify({ type: 'duel', session_id: 'a' }), 20]]);
    const filled = groupEvents(events, room).map((group) => group.events.length);
    expect(filled).toEqual([20, 100, 100, 10]);
  });
});

describe('the pause before a retry', () => {
  test('doubles from five seconds to an hour', () => {
    const seconds = [1, 2, 3, 10, 40, 400].map(
      (attempts) => retryDelayMs(attempts, 0, 0.5) / 1_000,
    );
    expect(seconds).toEqual([5, 10, 20, 2_560, 3_600, 3_600]);
  });

  test('is as long as the receiver asks for, but at most an hour', () => {
    expect(retryDelayMs(1, 60_000, 0.5)).toBe(60_000);
    expect(retryDelayMs(1, 86_400_000, 0.5)).toBe(3_600_000);
  });
});
