import { beforeEach, describe, expect, test } from 'vitest';
import type { Caller } from '../auth/index.ts';
import { ServiceError } from '../platform/index.ts';
import type { CallerLimits, Lease } from './caller-limiter.ts';
import { CallerLimiter, isPlayer } from './caller-limiter.ts';
import { LIMITS } from './limits.ts';

const playerOf = (accountId: string): Caller => ({
  accountId,
  permissions: ['session:update-player:self', 'sandbox:config:view'],
});
const serviceOf = (accountId: string): Caller => ({
  accountId,
  permissions: ['session:update-player:any'],
});
const keyOf = (accountId: string, keyId: string): Caller => ({
  ...serviceOf(accountId),
  key: { keyId },
});
const personOf = (accountId: string): Caller => ({
  accountId,
  permissions: ['*'],
  person: {
    name: 'Ann',
    email: 'ann@muster.example',
    role: 'owner',
    mustChangePassword: false,
    twoFactorEnabled: false,
    signInId: 'one',
  },
});

let now: number;
let refusals: string[];
beforeEach(() => {
  now = 5_000;
  refusals = [];
});
const createLimiter = (limits: CallerLimits) =>
  new CallerLimiter({ limits, now: () => now, onRefused: (reason) => refusals.push(reason) });

/** Returns 0 for a request that is accepted and is over at once, otherwise the seconds of its Retry-After. */
const send = (limiter: CallerLimiter, caller: Caller, cost = 1): number => {
  let lease: Lease | undefined;
  try {
    lease = limiter.enter(caller);
    limiter.charge(caller, cost);
    return 0;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    expect([error.code, error.evidence.accountId]).toEqual(['rate_limited', caller.accountId]);
    return error.evidence.retryAfterSeconds ?? Number.NaN;
  } finally {
    lease?.release();
  }
};
const sendMany = (count: number, limiter: CallerLimiter, caller: Caller): number[] =>
  Array.from({ length: count }, () => send(limiter, caller));

const ANN = playerOf('ann');

describe('the rate of a caller', () => {
  test('makes a costly request wait exactly as long as it takes to pay for it', () => {
    const limiter = createLimiter({ playerRateLimit: { perSecond: 10, burst: 60 } });
    expect(sendMany(60, limiter, ANN)).toEqual(Array(60).fill(0));
    const waits = () => {
      try {
        limiter.enter(ANN, 20).release();
        return 0;
      } catch (error) {
        return error instanceof ServiceError ? error.evidence.retryAfterSeconds : error;
      }
    };
    expect(waits()).toBe(2);
    now += 2_000;
    expect(waits()).toBe(0);
  });

  test('accepts the burst at once, and then as many requests as the rate allows', () => {
    const limiter = createLimiter({ playerRateLimit: { perSecond: 10, burst: 60 } });
    expect(sendMany(61, limiter, ANN)).toEqual([...Array(60).fill(0), 1]);
    now += 1_000;
    expect(sendMany(11, limiter, ANN)).toEqual([...Array(10).fill(0), 1]);
    // A caller that is quiet saves no more than the burst.
    now += 3_600_000;
    expect(sendMany(61, limiter, ANN)).toEqual([...Array(60).fill(0), 1]);
    expect(refusals).toEqual(['rate', 'rate', 'rate']);
  });

  test('accepts the request that comes exactly after Retry-After, and none that comes a millisecond earlier', () => {
    const limiter = createLimiter({ playerRateLimit: { perSecond: 1, burst: 3 } });
    expect(sendMany(4, limiter, ANN)).toEqual([0, 0, 0, 1]);
    now += 999;
    expect(send(limiter, ANN)).toBe(1);
    now += 1;
    expect(sendMany(2, limiter, ANN)).toEqual([0, 1]);
  });

  test('Retry-After is as exact for any time and rate', () => {
    for (const perSecond of [1, 3, 7, 10, 60]) {
      const limiter = createLimiter({ playerRateLimit: { perSecond, burst: 3 * perSecond } });
      for (let step = 0; step < 500; step += 1) {
        now = 5_000 + step * 0.0137;
        const player = playerOf(`player ${step}`);
        // Each costs as much as a second brings.
        const seconds = Array.from({ length: 4 }, () => send(limiter, player, perSecond));
        expect(seconds).toEqual([0, 0, 0, 1]);
        now += 1_000;
        expect(send(limiter, player)).toBe(0);
      }
    }
  });

  test('refused requests do not count', () => {
    const limiter = createLimiter({ playerRateLimit: { perSecond: 1, burst: 2 } });
    expect(sendMany(50, limiter, ANN)).toEqual([0, 0, ...Array(48).fill(1)]);
    now += 1_000;
    expect(send(limiter, ANN)).toBe(0);
  });

  test('a request that costs more takes as much of the burst, and its Retry-After is as exact', () => {
    const limiter = createLimiter({ playerRateLimit: { perSecond: 1, burst: 30 } });
    expect(send(limiter, ANN, 20)).toBe(0);
    // One of the ten that are left is taken by the refused request itself: its cost is known late.
    const seconds = send(limiter, ANN, 20);
    expect(seconds).toBe(11);
    now += 1_000 * seconds - 1;
    expect(send(limiter, ANN, 20)).toBeGreaterThan(0);

    const other = playerOf('ben');
    expect([send(limiter, other, 20), send(limiter, other, 20)]).toEqual([0, 11]);
    now += 11_000;
    expect(send(limiter, other, 20)).toBe(0);
  });

  test('a request that costs more than the burst is accepted when the whole burst is left', () => {
    const limiter = createLimiter({ playerRateLimit: { perSecond: 1, burst: 5 } });
    expect(send(limiter, ANN, 20)).toBe(0);
    expect(send(limiter, ANN)).toBe(1);
    now += 5_000;
    expect(send(limiter, ANN, 20)).toBe(0);
  });

  test('only players pay what a request costs beyond a usual one', () => {
    const limiter = createLimiter({ rateLimit: { perSecond: 1, burst: 2 } });
    const backend = serviceOf('backend');
    expect([send(limiter, backend, 20), send(limiter, backend, 20)]).toEqual([0, 0]);
    expect(send(limiter, backend)).toBe(1);
  });

  test('is off without a setting', () => {
    const limiter = createLimiter({});
    for (const caller of [ANN, serviceOf('backend'), keyOf('backend', 'k'), personOf('p')]) {
      expect(new Set(sendMany(1_000, limiter, caller))).toEqual(new Set([0]));
    }
  });
});

describe('requests in progress', () => {
  test.each([
    ['player', ANN, LIMITS.playerRequests.value],
    ['service', serviceOf('backend'), LIMITS.serviceRequests.value],
    ['API key', keyOf('backend', 'k'), LIMITS.serviceRequests.value],
    ['person', personOf('p'), LIMITS.serviceRequests.value],
  ])('a %s has a limit, and each one that ends makes room for another', (_, caller, most) => {
    const limiter = createLimiter({});
    const leases = Array.from({ length: most }, () => limiter.enter(caller));
    expect(send(limiter, caller)).toBe(1);
    expect(refusals).toEqual(['caller']);
    leases.pop()?.release();
    expect(send(limiter, caller)).toBe(0);
    leases.push(limiter.enter(caller));
    expect(send(limiter, caller)).toBe(1);
    for (const lease of leases) lease.release();
    expect(send(limiter, caller)).toBe(0);
  });

  test('a player has 8, and every other caller 256', () => {
    expect([LIMITS.playerRequests.value, LIMITS.serviceRequests.value]).toEqual([8, 256]);
  });

  test('a request with two holders is in progress until both have released it', () => {
    const limiter = createLimiter({});
    const leases = Array.from({ length: 8 }, () => limiter.enter(ANN));
    const [first] = leases;
    first?.hold();
    first?.release();
    expect(send(limiter, ANN)).toBe(1);
    first?.release();
    expect(send(limiter, ANN)).toBe(0);
  });

  test('a request that has ended ends once, even if its work begins later', () => {
    const limiter = createLimiter({});
    const leases = Array.from({ length: 8 }, () => limiter.enter(ANN));
    const [first] = leases;
    first?.release();
    first?.hold();
    first?.release();
    first?.release();
    limiter.enter(ANN);
    expect(send(limiter, ANN)).toBe(1);
  });

  test('a request over the rate is not in progress', () => {
    const limiter = createLimiter({ playerRateLimit: { perSecond: 1, burst: 1 } });
    expect(sendMany(20, limiter, ANN)).toEqual([0, ...Array(19).fill(1)]);
    now += 1_000;
    expect(send(limiter, ANN)).toBe(0);
    expect(refusals).not.toContain('caller');
  });
});

describe('callers', () => {
  const limits = {
    playerRateLimit: { perSecond: 1, burst: 1 },
    rateLimit: { perSecond: 1, burst: 1 },
  };

  test('do not affect each other', () => {
    const limiter = createLimiter(limits);
    const callers = [
      ANN,
      playerOf('ben'),
      serviceOf('backend'),
      serviceOf('mirror'),
      // Two keys of one account, which is also the account of a token.
      keyOf('backend', 'one'),
      keyOf('backend', 'two'),
    ];
    for (const caller of callers) expect(sendMany(2, limiter, caller)).toEqual([0, 1]);
  });

  test('that are people have no rate', () => {
    const limiter = createLimiter(limits);
    expect(sendMany(20, limiter, personOf('p'))).toEqual(Array(20).fill(0));
  });

  test('are the same with another token of the same account', () => {
    const limiter = createLimiter(limits);
    const renewed: Caller = { ...ANN, permissions: ['session:update-player:self'] };
    expect([send(limiter, ANN), send(limiter, renewed)]).toEqual([0, 1]);
  });

  test.each<[string, Caller, boolean]>([
    ['a token that joins for itself', playerOf('a'), true],
    ['a token that permits nothing', { accountId: 'a', permissions: [] }, true],
    ['a token that joins for anyone', serviceOf('a'), false],
    ...[
      'sandbox:config:view',
      'sandbox:s:config:view',
      'session:view',
      'audit:view',
      'metrics:view',
    ].map((permission): [string, Caller, boolean] => [
      `a token that permits ${permission} only`,
      { accountId: 'a', permissions: [permission] },
      false,
    ]),
    [
      'a token that joins for itself and reads a sandbox',
      { accountId: 'a', permissions: ['session:update-player:self', 'sandbox:s:config:view'] },
      true,
    ],
    ...[
      'session:*',
      'player:*',
      'sandbox:config:edit',
      'sandbox:s:config:edit',
      'sandbox:s:*',
      'key:manage',
      'people:manage',
      '*',
    ].map((permission): [string, Caller, boolean] => [
      `a token that permits ${permission} and joins for itself`,
      { accountId: 'a', permissions: [permission, 'session:update-player:self'] },
      false,
    ]),
    ['an API key that joins for itself', { ...playerOf('a'), key: { keyId: 'k' } }, false],
    ['a person', personOf('a'), false],
  ])('%s', (_, caller, expected) => {
    expect(isPlayer(caller)).toBe(expected);
  });
});
