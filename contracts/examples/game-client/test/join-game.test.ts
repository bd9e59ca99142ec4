import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { connectGame } from '../src/connect-game.ts';
import { joinGame, rejoinGame } from '../src/join-game.ts';
import { JOIN } from './requests.ts';
import type { ScriptedFetch } from './scripted-fetch.ts';
import { loseAnswer, playSteps, refuse, seat } from './scripted-fetch.ts';

// The client waits between its attempts; the tests skip that time.
beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const connect = ({ fetch }: ScriptedFetch, signIn = async () => 'token') =>
  connectGame({ baseUrl: 'http://muster.test', signIn, fetch });

const settle = async <Value>(pending: Promise<Value>): Promise<Value> => {
  await vi.runAllTimersAsync();
  return pending;
};

const join = (script: ScriptedFetch, otherTeams?: number[]) =>
  settle(joinGame(connect(script), JOIN, otherTeams));

const teamsOf = ({ sent }: ScriptedFetch) => sent.map(({ team_id }) => team_id);

describe('a full team', () => {
  test('makes the game try the other teams, in their order, until one has room', async () => {
    const full = refuse(409, 'team_full');
    const script = playSteps(full, full, seat());
    expect(await join(script, [2, 1, 3])).toMatchObject({
      seat: { request: { body: { team_id: 1 } } },
    });
    expect(teamsOf(script)).toEqual([0, 2, 1]);
  });

  test('leads to the queue when no other team is left', async () => {
    const script = playSteps(refuse(409, 'team_full'));
    expect(await join(script, [1])).toEqual({
      next: { step: 'wait-in-queue', waitSeconds: 2, requestId: 'r-1' },
    });
    expect(teamsOf(script)).toEqual([0, 1]);
  });

  test('ends the search when the whole session has become full', async () => {
    const script = playSteps(refuse(409, 'team_full'), refuse(409, 'session_full'));
    expect(await join(script, [1, 2])).toMatchObject({ next: { step: 'return-to-browser' } });
    expect(teamsOf(script)).toEqual([0, 1]);
  });
});

describe('a busy service', () => {
  test.each(['session_busy', 'service_overloaded', 'rate_limited'])(
    'is asked again after %s',
    async (code) => {
      const script = playSteps(refuse(409, code), seat());
      expect(await join(script)).toHaveProperty('seat');
      expect(script.sent).toHaveLength(2);
    },
  );

  test('is left alone when the patience of the player is over', async () => {
    const startedMs = performance.now();
    expect(await join(playSteps(refuse(409, 'session_busy')))).toMatchObject({
      next: { step: 'try-later', waitSeconds: 2 },
    });
    expect(performance.now() - startedMs).toBeLessThanOrEqual(8_000);
  });
});

describe('a lost answer', () => {
  test('is repaired by joining again, without the player noticing', async () => {
    const script = playSteps(loseAnswer, seat('"v7"'));
    expect(await join(script)).toMatchObject({ seat: { etag: '"v7"' } });
    expect(script.sent).toHaveLength(2);
  });

  test('becomes a question to the player only when no answer arrives at all', async () => {
    expect(await join(playSteps(loseAnswer))).toMatchObject({ next: { step: 'try-later' } });
  });
});

describe('a player who joins again', () => {
  const comeBack = async (etag: string) => {
    const script = playSteps(seat('"v1"'), seat(etag, 'leader'));
    const first = await join(script);
    if (!('seat' in first)) throw new Error('The player has no seat.');
    return { first, again: await settle(rejoinGame(connect(script), first.seat)) };
  };

  test('has the very same seat while the session is unchanged', async () => {
    const { first, again } = await comeBack('"v1"');
    expect('seat' in again && again.seat).toBe(first.seat);
  });

  test('sees the session as it is now when it has changed', async () => {
    const { again } = await comeBack('"v2"');
    expect(again).toMatchObject({ seat: { etag: '"v2"', isLeader: true } });
  });
});

describe('a token', () => {
  test('that has expired is replaced without the player noticing', async () => {
    const script = playSteps(refuse(403, 'auth_token_expired', false), seat());
    const tokens = ['old', 'new'];
    const muster = connect(script, async () => tokens.shift() ?? 'one token too many');
    expect(await settle(joinGame(muster, JOIN))).toHaveProperty('seat');
    expect(script.sent.map(({ token }) => token)).toEqual(['Bearer old', 'Bearer new']);
  });

  test('that cannot be had sends the player to the sign-in', async () => {
    const signIn = () => Promise.reject(new Error('The sign-in is down.'));
    const muster = connect(playSteps(seat()), signIn);
    expect(await settle(joinGame(muster, JOIN))).toMatchObject({ next: { step: 'sign-in' } });
  });
});

describe('a code that this version of the game does not know', () => {
  test.each([
    [404, 'refresh-list'],
    [409, 'try-later'],
    [503, 'try-later'],
    [403, 'report-problem'],
    [500, 'report-problem'],
  ])('of status %i: %s', async (status, step) => {
    expect(await join(playSteps(refuse(status, 'from_the_future')))).toMatchObject({
      next: { step, requestId: 'r-1' },
    });
  });
});
