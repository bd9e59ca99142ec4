import { expect, test } from 'vitest';
import { Lane } from './lane.ts';
import type { Visit } from './visit.ts';

const openLane = (width: number) => {
  const started: Visit[] = [];
  const lane = new Lane(width, (visit) => started.push(visit));
  let count = 0;
  const enter = (now: number) => {
    count += 1;
    const visit = {
      arrivedAt: now,
      target: `/${count}`,
      response: { destroyed: false, socket: {} },
    };
    lane.enter(visit as Visit, now);
    return visit as Visit;
  };
  return { lane, started, enter };
};

/** Answers `perSecond` of what is asked, and is asked ten times as much. */
const flood = (perSecond: number, seconds: number) => {
  const { lane, started, enter } = openLane(4);
  const waits: number[] = [];
  let refused = 0;
  let answered = 0;
  for (let now = 0; now < seconds * 1_000; now += 1) {
    for (let asked = 0; asked < perSecond / 100; asked += 1) enter(now);
    while (answered < (now * perSecond) / 1_000 && lane.underWay > 0) {
      answered += 1;
      lane.leave(now);
    }
    if (now % 20 === 0) refused += lane.takeLate(now).length;
    for (const { arrivedAt } of started.splice(0)) waits.push(now - arrivedAt);
  }
  return { waits, refused, answered };
};

test('a flood is shed, nobody is served late, and the service stays busy', () => {
  const { waits, refused, answered } = flood(1_000, 10);
  expect(answered).toBeGreaterThan(9_900);
  expect(refused).toBeGreaterThan(80_000);
  expect(Math.max(...waits)).toBeLessThanOrEqual(420);
  // Those who are served then have just arrived.
  expect(Math.max(...waits.slice(2_000))).toBeLessThanOrEqual(20);
});

test('in a flood the newest is served first, and after it all in their order again', () => {
  const { lane, started, enter } = openLane(1);
  enter(0);
  for (const now of [0, 900, 1_050]) enter(now);
  lane.takeLate(1_060);
  lane.leave(1_061);
  lane.leave(1_062);
  expect(started.map(({ target }) => target)).toEqual(['/1', '/4', '/3']);
  lane.leave(1_063);
  expect([lane.underWay, lane.waiting]).toEqual([0, 0]);
  for (const now of [2_000, 2_001, 2_002]) enter(now);
  lane.leave(2_003);
  expect(started.at(-1)?.target).toBe('/6');
});

test('one whose connection still owes an earlier answer is not served before its turn', () => {
  const { lane, started, enter } = openLane(1);
  enter(0);
  for (const now of [0, 900, 1_050]) enter(now);
  Object.assign(enter(1_051).response, { socket: null });
  lane.takeLate(1_060);
  lane.leave(1_061);
  expect(started.map(({ target }) => target)).toEqual(['/1', '/3']);
});

test.each([73, 100, 300])(
  '%i clients who ask again at once are all served, though the queue never ends',
  (clients) => {
    const { lane, started, enter } = openLane(72);
    const waits: number[] = [];
    let answered = 0;
    for (let client = 0; client < clients; client += 1) enter(0);
    for (let now = 0; now < 5_000; now += 1) {
      for (; answered < now * 5; answered += 1) {
        lane.leave(now);
        enter(now);
      }
      if (now % 20 === 0) expect(lane.takeLate(now)).toEqual([]);
      for (const { arrivedAt } of started.splice(0)) waits.push(now - arrivedAt);
    }
    expect(waits.length).toBeGreaterThan(24_000);
    expect(Math.max(...waits)).toBeLessThan(100);
  },
);

test('a burst waits its turn, longer than one of a flood may', () => {
  const { lane, started, enter } = openLane(2);
  for (let index = 0; index < 10; index += 1) enter(0);
  expect([started.length, lane.waiting]).toEqual([2, 8]);
  expect(lane.takeLate(390)).toEqual([]);
  for (let index = 0; index < 10; index += 1) lane.leave(700);
  expect(started.map(({ target }) => target)).toEqual(
    [...Array(10).keys()].map((n) => `/${n + 1}`),
  );
  expect([lane.underWay, lane.waiting]).toEqual([0, 0]);
});

test('those who have waited too long are taken out, the others stay', () => {
  const { lane, enter } = openLane(1);
  enter(0);
  const late = enter(0);
  enter(100);
  expect(lane.takeLate(410)).toEqual([late]);
  expect(lane.waiting).toBe(1);
});

test('nobody works for who has left', () => {
  const { lane, started, enter } = openLane(1);
  enter(0);
  enter(0).response.destroyed = true;
  const last = enter(0);
  lane.leave(10);
  expect(started.at(-1)).toBe(last);
  expect(lane.underWay).toBe(1);
});
