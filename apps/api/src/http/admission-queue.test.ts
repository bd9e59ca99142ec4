import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { ActiveRequest } from './active-requests.ts';
import { AdmissionQueue } from './admission-queue.ts';

const openQueue = (concurrency: number) => {
  const started: ActiveRequest[] = [];
  const queue = new AdmissionQueue({
    ...{ concurrency, roundMs: Number.POSITIVE_INFINITY, clock: () => 0 },
    start: (active) => started.push(active),
  });
  let count = 0;
  const enter = (now: number) => {
    count += 1;
    const active = {
      arrivedAt: now,
      target: `/${count}`,
      response: { destroyed: false },
    };
    queue.enter(active as ActiveRequest, now);
    return active as ActiveRequest;
  };
  return { queue, started, enter };
};

/** Answers `perSecond` of what is asked, and is asked ten times as much. */
const flood = (perSecond: number, seconds: number) => {
  const { queue, started, enter } = openQueue(4);
  const waits: number[] = [];
  let refused = 0;
  let answered = 0;
  for (let now = 0; now < seconds * 1_000; now += 1) {
    for (let asked = 0; asked < perSecond / 100; asked += 1) enter(now);
    while (answered < (now * perSecond) / 1_000 && queue.running > 0) {
      answered += 1;
      queue.leave(now);
    }
    if (now % 20 === 0) refused += queue.takeExpired(now).length;
    for (const { arrivedAt } of started.splice(0)) waits.push(now - arrivedAt);
  }
  return { waits, refused, answered };
};

test('a flood is shed, no request is served late, and the service stays busy', () => {
  const { waits, refused, answered } = flood(1_000, 10);
  expect(answered).toBeGreaterThan(9_900);
  expect(refused).toBeGreaterThan(80_000);
  expect(Math.max(...waits)).toBeLessThanOrEqual(420);
  // The requests that are served then have just arrived.
  expect(Math.max(...waits.slice(2_000))).toBeLessThanOrEqual(20);
});

test('in a flood the newest is served first, and after it all in their order again', () => {
  const { queue, started, enter } = openQueue(1);
  enter(0);
  for (const now of [0, 900, 1_050]) enter(now);
  queue.takeExpired(1_060);
  queue.leave(1_061);
  queue.leave(1_062);
  expect(started.map(({ target }) => target)).toEqual(['/1', '/4', '/3']);
  queue.leave(1_063);
  expect([queue.running, queue.waiting]).toEqual([0, 0]);
  for (const now of [2_000, 2_001, 2_002]) enter(now);
  queue.leave(2_003);
  expect(started.at(-1)?.target).toBe('/6');
});

test.each([73, 100, 300])(
  '%i clients that ask again at once are all served, though the queue never ends',
  (clients) => {
    const { queue, started, enter } = openQueue(72);
    const waits: number[] = [];
    let answered = 0;
    for (let client = 0; client < clients; client += 1) enter(0);
    for (let now = 0; now < 5_000; now += 1) {
      for (; answered < now * 5; answered += 1) {
        queue.leave(now);
        enter(now);
      }
      if (now % 20 === 0) expect(queue.takeExpired(now)).toEqual([]);
      for (const { arrivedAt } of started.splice(0)) waits.push(now - arrivedAt);
    }
    expect(waits.length).toBeGreaterThan(24_000);
    expect(Math.max(...waits)).toBeLessThan(100);
  },
);

test('a burst waits for its turn, longer than a flood may', () => {
  const { queue, started, enter } = openQueue(2);
  for (let index = 0; index < 10; index += 1) enter(0);
  expect([started.length, queue.waiting]).toEqual([2, 8]);
  expect(queue.takeExpired(390)).toEqual([]);
  for (let index = 0; index < 10; index += 1) queue.leave(700);
  expect(started.map(({ target }) => target)).toEqual(
    [...Array(10).keys()].map((n) => `/${n + 1}`),
  );
  expect([queue.running, queue.waiting]).toEqual([0, 0]);
});

test('requests that have waited too long are removed, the others stay', () => {
  const { queue, enter } = openQueue(1);
  enter(0);
  const late = enter(0);
  enter(100);
  expect(queue.takeExpired(410)).toEqual([late]);
  expect(queue.waiting).toBe(1);
});

test('a client that has disconnected is not served', () => {
  const { queue, started, enter } = openQueue(1);
  enter(0);
  enter(0).response.destroyed = true;
  const last = enter(0);
  queue.leave(10);
  expect(started.at(-1)).toBe(last);
  expect(queue.running).toBe(1);
});

test('requests that end at once begin in rounds, in their order, with room for everything else in between', async () => {
  const rounds: ((now: number) => void)[] = [];
  const started: string[] = [];
  let now = 0;
  const queue: AdmissionQueue = new AdmissionQueue({
    ...{ concurrency: 4, roundMs: 2, inNextRound: (goOn) => rounds.push(goOn), clock: () => now },
    start: async ({ target }) => {
      started.push(target);
      await null;
      now += 0.5;
      queue.leave(now);
    },
  });
  const response = { destroyed: false };
  for (let index = 0; index < 10; index += 1) {
    queue.enter({ arrivedAt: 0, target: `/${index}`, response } as ActiveRequest, now);
  }
  await setImmediate();
  const perRound = [started.length];
  for (let goOn = rounds.shift(); goOn; goOn = rounds.shift()) {
    const before = started.length;
    now += 5;
    goOn(now);
    await setImmediate();
    perRound.push(started.length - before);
  }
  expect(perRound).toEqual([7, 3, 0]);
  expect(started).toEqual([...Array(10).keys()].map((index) => `/${index}`));
  expect([queue.running, queue.waiting]).toEqual([0, 0]);
});

test('what ends while it begins is bounded in the same way, and so is what enters later in the round', async () => {
  const rounds: ((now: number) => void)[] = [];
  const started: string[] = [];
  let now = 0;
  const response = { destroyed: false };
  const queue: AdmissionQueue = new AdmissionQueue({
    ...{ concurrency: 1, roundMs: 2, inNextRound: (goOn) => rounds.push(goOn), clock: () => now },
    start: ({ target }) => {
      started.push(target);
      now += 0.5;
      if (target !== '/0') queue.leave(now);
    },
  });
  const enter = (index: number) =>
    queue.enter({ arrivedAt: 0, target: `/${index}`, response } as ActiveRequest, now);
  for (let index = 0; index < 10; index += 1) enter(index);
  queue.leave(now);
  expect(started).toEqual(['/0', '/1', '/2', '/3']);
  for (let goOn = rounds.shift(); goOn; goOn = rounds.shift()) {
    const before = started.length;
    goOn(now);
    expect(started.length - before).toBeLessThanOrEqual(4);
  }
  expect(started).toEqual([...Array(10).keys()].map((index) => `/${index}`));
  for (const index of [10, 11, 12, 13, 14]) enter(index);
  expect(started.slice(10)).toEqual(['/10', '/11', '/12', '/13']);
  rounds.shift()?.(now);
  expect(started.slice(14)).toEqual(['/14']);
  expect([queue.running, queue.waiting]).toEqual([0, 0]);
});

const openRounds = (beginsMs: number, restMs = 0) => {
  const rounds: ((now: number) => void)[] = [];
  const rests: number[] = [];
  const started: string[] = [];
  const clock = { now: 0 };
  const queue = new AdmissionQueue({
    ...{ roundMs: 1, restMs, clock: () => clock.now },
    inNextRound: (goOn, afterMs) => {
      rounds.push(goOn);
      rests.push(afterMs);
    },
    start: ({ target }) => {
      started.push(target);
      clock.now += beginsMs;
    },
  });
  const enter = (target: string) => {
    const response = { destroyed: false };
    queue.enter({ arrivedAt: clock.now, target, response } as ActiveRequest, clock.now);
  };
  const goOn = () => rounds.shift()?.(clock.now);
  return { queue, started, rests, clock, enter, goOn };
};

test('requests of any number begin in rounds though their answers come later', () => {
  const { queue, started, enter, goOn } = openRounds(0.4);
  for (let index = 0; index < 8; index += 1) enter(`/${index}`);
  expect(started).toHaveLength(3);
  goOn();
  expect(started).toHaveLength(6);
  goOn();
  expect(started).toEqual([...Array(8).keys()].map((index) => `/${index}`));
  expect([queue.running, queue.waiting]).toEqual([8, 0]);
});

test('after a round that was full there is a rest, and none after another one', () => {
  const { started, rests, enter, goOn } = openRounds(0.4, 4);
  for (let index = 0; index < 5; index += 1) enter(`/${index}`);
  goOn();
  expect(started).toHaveLength(3);
  goOn();
  expect(started).toHaveLength(5);
  goOn();
  enter('/5');
  expect(started).toHaveLength(6);
  expect(rests).toEqual([0, 4, 0, 0]);
});

test('once one has waited for a quarter of a second there is no rest, and no long round', () => {
  const { started, rests, clock, enter, goOn } = openRounds(0.4, 4);
  for (let index = 0; index < 10; index += 1) enter(`/${index}`);
  clock.now += 250;
  goOn();
  goOn();
  expect(started).toHaveLength(9);
  expect(new Set(rests)).toEqual(new Set([0]));
});
