import type { Request, Response } from 'express';
import { expect, test } from 'vitest';
import type { Caller } from '../auth/index.ts';
import { createRefusalPace } from './refusal-pace.ts';
import { RequestAbortedError } from './request.ts';

const SELF = ['session:update-player:self'];
const PLAYER: Caller = { accountId: 'player-1', permissions: SELF };
const SERVICE: Caller = { accountId: 'service', permissions: ['session:*'] };

type Refused = { caller?: Caller | null; address?: string; routeName?: string; error?: Error };

/** Refuses as a request is refused, and tells for how long each was held back, and what was passed on. */
const createPace = () => {
  const clock = { ms: 0 };
  const held: number[] = [];
  const pace = createRefusalPace({
    now: () => clock.ms,
    admission: { holdBack: async (_response, ms) => void held.push(ms ?? Number.NaN) },
  });
  const refuse = async ({
    caller = null,
    address = '192.0.2.1',
    routeName = 'joinByPlatformSession',
    error = new Error('refused'),
  }: Refused = {}) => {
    const before = held.length;
    const locals = { caller, ...(routeName && { routeName }) };
    const passed: unknown[] = [];
    const next = (passedError: unknown) => passed.push(passedError);
    await pace(error, { ip: address } as Request, { locals } as unknown as Response, next);
    expect(passed).toEqual([error]);
    return held[before] ?? 0;
  };
  const refuseOften = async (times: number, refused?: Refused) => {
    const delays: number[] = [];
    for (let time = 0; time < times; time += 1) delays.push(await refuse(refused));
    return delays;
  };
  return { clock, refuse, refuseOften };
};

test('twenty refusals of a player at once are answered at once, the next ones later and later, up to a second', async () => {
  const { refuseOften } = createPace();
  expect(new Set(await refuseOften(20, { caller: PLAYER }))).toEqual(new Set([0]));
  expect(await refuseOften(3, { caller: PLAYER })).toEqual([5, 10, 15]);
  expect((await refuseOften(1_000, { caller: PLAYER })).at(-1)).toBe(1_000);
});

test('who has waited is answered at once again, however much came before', async () => {
  const { clock, refuse, refuseOften } = createPace();
  await refuseOften(10_000, { caller: PLAYER });
  clock.ms += 1_105;
  expect(await refuse({ caller: PLAYER })).toBe(0);
});

test('of those whose credential does not work, an address counts; nobody else is delayed', async () => {
  const { refuse, refuseOften } = createPace();
  expect((await refuseOften(101)).at(-1)).toBe(1);
  expect(await refuse({ address: '192.0.2.2' })).toBe(0);
  expect(await refuse({ caller: PLAYER })).toBe(0);
});

test('a service, which asks for many players, is never delayed, nor is what is no request of the public interface', async () => {
  const { refuseOften } = createPace();
  expect(new Set(await refuseOften(500, { caller: SERVICE }))).toEqual(new Set([0]));
  expect(new Set(await refuseOften(500, { routeName: '' }))).toEqual(new Set([0]));
});

test('a request whose client has left is no refusal', async () => {
  const { refuseOften } = createPace();
  const error = new RequestAbortedError();
  expect(new Set(await refuseOften(500, { caller: PLAYER, error }))).toEqual(new Set([0]));
});
