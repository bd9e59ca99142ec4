import type { Response } from 'express';
import { expect, test } from 'vitest';
import type { Caller } from '../auth/index.ts';
import { ServiceError } from '../platform/index.ts';
import { createAnswerPace } from './answer-pace.ts';
import { RequestAbortedError } from './request.ts';

const PLAYER: Caller = { accountId: 'player-1', permissions: ['session:update-player:self'] };
const BANNED: Caller = { accountId: 'player-2', permissions: [] };
const SERVICE: Caller = { accountId: 'service', permissions: ['session:*'] };
const READER: Caller = {
  accountId: 'reader',
  permissions: ['sandbox:3fa85f64-5717-4562-b3fc-2c963f66afa6:config:view'],
};

type Refused = {
  caller?: Caller | null;
  address?: string;
  routeName?: string | undefined;
  routePattern?: string;
  /** Undefined: a join that succeeds. */
  error?: Error | undefined;
  readMs?: number;
  bodyBytes?: number;
  target?: string;
  answerBytes?: number;
};

/** Refuses as a request is refused, and tells for how long each was held back. */
const createPace = () => {
  const clock = { ms: 0 };
  const held: number[] = [];
  const ends: (() => void)[] = [];
  let isEndless = false;
  const { paceAnswer, isBehind } = createAnswerPace({
    now: () => clock.ms,
    admission: {
      holdBack: async (_response, ms) => {
        held.push(ms ?? Number.NaN);
        if (isEndless) await new Promise<void>((done) => ends.push(done));
      },
    },
  });
  const start = async ({
    address = '192.0.2.1',
    bodyBytes = 0,
    target: originalUrl = '',
    answerBytes = 0,
    ...refused
  }: Refused) => {
    const { error, ...locals } = { error: INSUFFICIENT, ...refused };
    const request = { ip: address, originalUrl, headers: { 'content-length': `${bodyBytes}` } };
    const response = {
      req: request,
      locals: { routeName: 'joinByPlatformSession', routePattern: '', ...locals },
    };
    await paceAnswer(error, response as unknown as Response, answerBytes);
  };
  const refuse = async (refused: Refused) => {
    const before = held.length;
    await start(refused);
    return held[before] ?? 0;
  };
  const refuseOften = async (times: number, refused: Refused) => {
    const delays: number[] = [];
    for (let time = 0; time < times; time += 1) delays.push(await refuse(refused));
    return delays;
  };
  /** So many at once, which stay held back; answers how many do. */
  const hold = (times: number, refused: Refused) => {
    isEndless = true;
    for (let time = 0; time < times; time += 1) void start(refused);
    return ends.length;
  };
  return { clock, refuse, refuseOften, hold, held, isBehind };
};

const INSUFFICIENT = new ServiceError('insufficient_permissions');
const NEVER = new Set([0]);
const badToken = new ServiceError('auth_token_sig_invalid');

test('twenty refusals of a player at once are answered at once, the next ones later and later, up to a second', async () => {
  const { refuseOften } = createPace();
  expect(new Set(await refuseOften(20, { caller: PLAYER }))).toEqual(NEVER);
  expect(await refuseOften(3, { caller: PLAYER })).toEqual([5, 10, 15]);
  expect((await refuseOften(1_000, { caller: PLAYER })).at(-1)).toBe(1_000);
});

test('joins that succeed count as refusals do, but for those of a service', async () => {
  const { refuseOften } = createPace();
  const joins = (caller: Caller) => refuseOften(30, { caller, error: undefined });
  expect((await joins(PLAYER)).slice(18, 22)).toEqual([0, 0, 5, 10]);
  expect((await refuseOften(1, { caller: PLAYER }))[0]).toBeGreaterThan(50);
  expect(new Set(await joins(SERVICE))).toEqual(NEVER);
});

test('who has waited is answered at once again, however much came before', async () => {
  const { clock, refuse, refuseOften } = createPace();
  await refuseOften(10_000, { caller: PLAYER });
  clock.ms += 1_105;
  expect(await refuse({ caller: PLAYER })).toBe(0);
});

test('what took long to read delays as many times as long, and a long target or what was not read by its bytes', async () => {
  const { refuseOften } = createPace();
  expect(await refuseOften(2, { caller: PLAYER, readMs: 1 })).toEqual([0, 0]);
  // A process that stands still for a moment lets nobody wait for their first refusal.
  expect(await refuseOften(2, { caller: { ...PLAYER, accountId: '2' }, readMs: 90 })).toEqual([
    0, 100,
  ]);
  expect(await refuseOften(1, { caller: BANNED, bodyBytes: 262_144 })).toEqual([156]);
  const target = `/?${'x'.repeat(10_238)}`;
  expect(await refuseOften(11, { caller: { ...PLAYER, accountId: '3' }, target })).toEqual([
    ...Array.from({ length: 10 }, () => 0),
    10,
  ]);
});

test('a large answer delays the next ones', async () => {
  const { refuseOften } = createPace();
  const large = { caller: PLAYER, error: undefined, answerBytes: 65_536 };
  expect(await refuseOften(5, large)).toEqual([0, 0, 0, 1, 33]);
});

test('one large answer a second delays nothing', async () => {
  const { clock, refuse } = createPace();
  const large = { caller: PLAYER, error: undefined, answerBytes: 1_048_576 };
  for (clock.ms = 0; clock.ms < 9_000; clock.ms += 1_001) expect(await refuse(large)).toBe(0);
  clock.ms -= 1;
  expect(await refuse(large)).toBeGreaterThan(0);
});

test('of those whose credential does not work, a network counts; nobody else is delayed', async () => {
  const { refuse, refuseOften } = createPace();
  expect((await refuseOften(101, { error: badToken })).at(-1)).toBe(1);
  expect(await refuse({ error: badToken, address: '192.0.2.2' })).toBe(0);
  expect(await refuse({ caller: PLAYER })).toBe(0);
  const tooLong = new ServiceError('auth_token_too_large');
  await refuseOften(100, { error: tooLong, address: '2001:db8::1' });
  expect(await refuse({ error: badToken, address: '2001:db8::2' })).toBe(1);
});

test('a token that permits nothing is that of a player, and a public history asks for one address', async () => {
  const { refuseOften } = createPace();
  expect((await refuseOften(21, { caller: BANNED })).at(-1)).toBe(5);
  expect((await refuseOften(101, { caller: null })).at(-1)).toBe(1);
});

const rateLimited = new ServiceError('rate_limited');
const turnedAway = new ServiceError('service_unavailable');

test.each([rateLimited, turnedAway])(
  'refused sign-ins at one address are delayed, five times as long as what reads nothing: $code',
  async (error) => {
    const { refuseOften } = createPace();
    const routePattern = '/admin/auth/sign-in/email';
    const signIn = { caller: null, routeName: undefined, routePattern, error };
    expect(await refuseOften(22, signIn)).toEqual([...Array(20).fill(0), 5, 10]);
  },
);

test.each<[string, Refused]>([
  ['a service, which asks for many players', { caller: SERVICE }],
  ['a key', { caller: { ...PLAYER, key: { keyId: '1' } } }],
  ['a reader of histories', { caller: READER }],
  ['a credential that may well work', { error: rateLimited }],
  ['a client that has left', { caller: PLAYER, error: new RequestAbortedError() }],
  [
    'a history that has been turned away, later already',
    { caller: PLAYER, routeName: 'listItemHistory', error: turnedAway },
  ],
  [
    'a call of the admin API that has been turned away',
    { caller: PLAYER, routeName: undefined, error: turnedAway },
  ],
])('%s is never delayed', async (_, refused) => {
  const { refuseOften } = createPace();
  expect(new Set(await refuseOften(500, refused))).toEqual(NEVER);
});

test('no more are held back than memory is meant for, of one caller and of all', async () => {
  const { hold } = createPace();
  expect(hold(300, { caller: PLAYER })).toBe(256);
  expect(hold(2_500, { error: badToken })).toBe(256 + 2_000);
  for (let player = 0; player < 60; player += 1) {
    hold(300, { caller: { ...PLAYER, accountId: `${player}` } });
  }
  // Networks keep their own places.
  expect(hold(1, { caller: PLAYER })).toBe(2_000 + 2_000);
});

test('those that come together and wait for the longest are answered one after the other', async () => {
  const { refuse, hold, held } = createPace();
  const large = { caller: PLAYER, bodyBytes: 1_048_576 };
  expect(await refuse(large)).toBe(924);
  hold(100, large);
  const moments = held.slice(1);
  expect(new Set(moments).size).toBe(100);
  expect(Math.max(...moments)).toBe(1_000);
  expect(Math.min(...moments)).toBeLessThan(760);
});

test('a player 256 of whose answers are held back, or 4 MiB of them, is behind, and nobody else is', () => {
  const { hold, isBehind } = createPace();
  const seat = { caller: PLAYER, error: undefined };
  expect(hold(20 + 255, seat)).toBe(255);
  expect(isBehind(PLAYER)).toBe(false);
  hold(1, seat);
  expect(isBehind(PLAYER)).toBe(true);
  expect(isBehind(BANNED)).toBe(false);
  hold(17, { ...seat, caller: BANNED, answerBytes: 262_144 });
  expect(isBehind(BANNED)).toBe(true);
});
