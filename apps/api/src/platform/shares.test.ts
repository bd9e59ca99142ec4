import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Shares } from './shares.ts';
import { createCommonTurn, createShares } from './shares.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const LIMITS: Parameters<typeof createShares>[0] = {
  atOnce: 1,
  maxWaiting: 2,
  rest: 10,
  freeMs: 100,
  longestMs: 1_000,
};

/** Work that takes so long, and notes when it begins. */
const open = (limits: Partial<typeof LIMITS> = {}, within = (shares: Shares) => shares) => {
  const refused: string[] = [];
  const inShare = within(createShares({ ...LIMITS, ...limits }));
  const onRefused = (hasWaited: boolean) =>
    void refused.push(hasWaited ? 'refused after a wait' : 'refused');
  const from = performance.now();
  const begun: [name: string, at: number][] = [];
  const run = (caller: string, tookMs: number, options?: Parameters<typeof inShare>[2]) =>
    inShare(
      caller,
      async () => {
        begun.push([caller, Math.round(performance.now() - from)]);
        await new Promise((end) => setTimeout(end, tookMs));
        return caller;
      },
      { onRefused, ...options },
    );
  return { inShare, run, begun, refused };
};

test('one piece of a caller runs at a time, and after it the caller rests ten times as long', async () => {
  const { run, begun } = open();
  const pieces = [run('a', 30), run('a', 20), run('a', 1)];
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await Promise.all(pieces)).toEqual(['a', 'a', 'a']);
  // 300 ms are owed, of which 100 are free; then 80 and 200.
  expect(begun.map(([, at]) => at)).toEqual([0, 230, 430]);
});

test('others are not delayed, and short pieces owe nothing', async () => {
  const { run, begun } = open();
  const pieces = [run('a', 500), run('b', 5), run('b', 5), run('b', 5)];
  await vi.advanceTimersByTimeAsync(600);
  await Promise.all(pieces);
  expect(begun).toEqual([
    ['a', 0],
    ['b', 0],
    ['b', 5],
    ['b', 10],
  ]);
});

test('the longest rest has an end, and callers who have rested are forgotten', async () => {
  const { run, begun } = open();
  const pieces = [run('a', 5_000), run('a', 1)];
  await vi.advanceTimersByTimeAsync(6_000);
  await Promise.all(pieces);
  expect(begun.map(([, at]) => at)).toEqual([0, 5_900]);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(vi.getTimerCount()).toBe(0);
});

test('so many of one caller wait, the others are refused', async () => {
  const { run, refused } = open();
  const pieces = [run('a', 1), run('a', 1), run('a', 1)];
  await expect(run('a', 1)).rejects.toMatchObject({
    ...{ code: 'service_unavailable', evidence: { retryAfterSeconds: expect.any(Number) } },
  });
  const other = run('b', 1);
  await vi.advanceTimersByTimeAsync(100);
  expect(await Promise.all([...pieces, other])).toEqual(['a', 'a', 'a', 'b']);
  expect(refused).toEqual(['refused']);
});

test('a client that leaves while it waits gives its place to the next one', async () => {
  const { run, begun } = open();
  const leaving = new AbortController();
  const first = run('a', 10);
  const left = run('a', 10, { signal: leaving.signal }).catch(String);
  const next = run('a', 10);
  leaving.abort('has left');
  expect(await left).toBe('has left');
  await vi.advanceTimersByTimeAsync(100);
  await Promise.all([first, next]);
  expect(begun.map(([, at]) => at)).toEqual([0, 10]);
  await expect(run('a', 1, { signal: leaving.signal })).rejects.toBe('has left');
});

test('what waits has its slot taken and given back, and what fails then leaves its turn', async () => {
  const { run, begun } = open();
  const steps: string[] = [];
  const aside = (name: string, comeBack: () => Promise<void>) => ({
    leave: () => void steps.push(`${name} leaves`),
    comeBack,
  });
  const back = async () => void steps.push('comes back');
  const gone = () => Promise.reject(new Error('no slot'));
  const first = run('a', 10, { aside: aside('first', back) });
  const second = run('a', 5, { aside: aside('second', back) });
  const third = run('a', 5, { aside: aside('third', gone) }).catch(String);
  await vi.advanceTimersByTimeAsync(100);
  await Promise.all([first, second]);
  expect(await third).toBe('Error: no slot');
  expect(steps).toEqual(['second leaves', 'third leaves', 'comes back']);
  const later = run('a', 1);
  await vi.advanceTimersByTimeAsync(100);
  expect(await later).toBe('a');
  expect(begun).toHaveLength(3);
});

test('several of one caller may run at once, and the rest counts for each', async () => {
  const { run, begun } = open({ atOnce: 2 });
  const pieces = [run('a', 20), run('a', 20), run('a', 1)];
  await vi.advanceTimersByTimeAsync(1_000);
  await Promise.all(pieces);
  // 400 ms are owed, of which 100 are free.
  expect(begun.map(([, at]) => at)).toEqual([0, 0, 320]);
});

test('a piece does not wait for the end of a longer one of the same caller', async () => {
  const { run, begun } = open({ atOnce: 2 });
  const pieces = [run('a', 20), run('a', 5_000), run('a', 1)];
  await vi.advanceTimersByTimeAsync(6_000);
  await Promise.all(pieces);
  // 200 ms are owed after the first, of which 100 are free.
  expect(begun.map(([, at]) => at)).toEqual([0, 0, 120]);
});

test('who has waited for too long is refused, and its place is free for another', async () => {
  const { run, begun } = open({ maxWaiting: 1, longestWaitMs: 50 });
  const first = run('a', 80);
  const refused = expect(run('a', 1)).rejects.toMatchObject({ code: 'service_unavailable' });
  await vi.advanceTimersByTimeAsync(60);
  await refused;
  const next = run('b', 1);
  const last = run('a', 1);
  last.catch(() => {});
  await vi.advanceTimersByTimeAsync(30);
  await Promise.all([first, next]);
  expect(begun.map(([caller]) => caller)).toEqual(['a', 'b']);
});

test('all callers together have so many that wait', async () => {
  const { run, refused } = open({ maxWaitingInAll: 1 });
  const pieces = [run('a', 1), run('a', 1), run('b', 1)];
  await expect(run('b', 1)).rejects.toMatchObject({ code: 'service_unavailable' });
  await vi.advanceTimersByTimeAsync(500);
  await Promise.all(pieces);
  const later = run('b', 1);
  await vi.advanceTimersByTimeAsync(500);
  expect(await later).toBe('b');
  expect(refused).toHaveLength(1);
});

const openCommon = (longestWaitMs: number) =>
  open({ longestMs: 10_000 }, (shares) => createCommonTurn(shares, longestWaitMs));

test('in the common turn one piece of all callers runs at a time, with a rest after it, and the wait is not owed', async () => {
  const { run, begun } = openCommon(1_000);
  const pieces = ['a', 'b', 'c'].map((caller) => run(caller, 20));
  pieces.push(run('c', 1));
  await vi.advanceTimersByTimeAsync(1_000);
  await Promise.all(pieces);
  // 80 ms are owed, of which 5 are free; c owes 200 ms for its piece, of which 100 are free, and nothing for the 190 before it.
  expect(begun).toEqual([
    ['a', 0],
    ['b', 95],
    ['c', 190],
    ['c', 310],
  ]);
});

test('a piece that takes long in the common turn goes on, and after a second and a rest the next one begins', async () => {
  const { run, begun } = openCommon(3_000);
  const pieces = [run('a', 5_000), run('b', 1)];
  await vi.advanceTimersByTimeAsync(6_000);
  expect(await Promise.all(pieces)).toEqual(['a', 'b']);
  expect(begun).toEqual([
    ['a', 0],
    ['b', 1_995],
  ]);
});

test('who waits in vain for the common turn is refused in time, and owes nothing', async () => {
  const { run, begun, refused } = openCommon(300);
  const long = run('a', 1_000);
  const late = expect(run('b', 1)).rejects.toMatchObject({ code: 'service_unavailable' });
  await vi.advanceTimersByTimeAsync(300);
  await late;
  expect(refused).toEqual(['refused after a wait']);
  await vi.advanceTimersByTimeAsync(1_700);
  const again = run('b', 1);
  await vi.advanceTimersByTimeAsync(10);
  await Promise.all([long, again]);
  expect(begun).toEqual([
    ['a', 0],
    ['b', 2_000],
  ]);
});

test('its slot is left once for both waits, and taken again before the piece begins', async () => {
  const { run } = openCommon(3_000);
  const steps: string[] = [];
  const aside = {
    leave: () => void steps.push('leaves'),
    comeBack: async () => void steps.push('comes back'),
  };
  const pieces = [run('a', 10), run('b', 10), run('a', 10, { aside })];
  void pieces[1]?.then(() => steps.push('the one before has ended'));
  void pieces[2]?.then(() => steps.push('ends'));
  await vi.advanceTimersByTimeAsync(1_000);
  await Promise.all(pieces);
  expect(steps).toEqual(['leaves', 'the one before has ended', 'comes back', 'ends']);
});

test('a slot that does not come back fails that piece alone', async () => {
  const { run } = openCommon(3_000);
  const gone = { leave: () => {}, comeBack: () => Promise.reject(new Error('no slot')) };
  const first = run('c', 10);
  const last = expect(run('d', 10, { aside: gone })).rejects.toThrow('no slot');
  await vi.advanceTimersByTimeAsync(1_000);
  await Promise.all([first, last]);
  const later = run('d', 10);
  await vi.advanceTimersByTimeAsync(20);
  expect(await later).toBe('d');
});

test('who waits for its share and then for the common turn has one time for both', async () => {
  const { run, begun, refused } = openCommon(300);
  // It owes 300 ms, of which 100 are free: its next piece has waited for 230 ms when it asks for the common turn.
  const pieces = [run('a', 30)];
  const late = expect(run('a', 1)).rejects.toMatchObject({ code: 'service_unavailable' });
  await vi.advanceTimersByTimeAsync(200);
  pieces.push(run('b', 500));
  await vi.advanceTimersByTimeAsync(99);
  expect(refused).toEqual([]);
  await vi.advanceTimersByTimeAsync(2);
  await late;
  expect(refused).toEqual(['refused after a wait']);
  await vi.advanceTimersByTimeAsync(1_000);
  await Promise.all(pieces);
  expect(begun.map(([caller]) => caller)).toEqual(['a', 'b']);
});

test('nothing keeps the result of a piece of the common turn for the second that it might have taken', async () => {
  const { run } = openCommon(3_000);
  const piece = run('a', 10);
  // Its share owes 10 times as long, the common turn as long again.
  await vi.advanceTimersByTimeAsync(150);
  await piece;
  expect(vi.getTimerCount()).toBe(0);
});
