import { expect, test } from 'vitest';
import type { Point } from './chart-data.ts';
import { judge, listAlarms } from './thresholds.ts';

/** Five minutes with 600 requests and 120 joins each. */
const minutes = (more: Partial<Point> = {}, count = 5): Point[] =>
  Array.from({ length: count }, (_, minute) => ({
    at: new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString(),
    requests_per_second: 10,
    errors_per_second: 0,
    joins_per_second: 2,
    outcomes: { joined: 120 },
    ...more,
  }));

const read = (points: readonly Point[], label: string) =>
  judge(points).find((reading) => reading.label === label);

test.each([
  ['Failed joins', { outcomes: { joined: 2000, service_overloaded: 1 } }, 'ok', '0.05 %'],
  ['Failed joins', { outcomes: { joined: 999, session_busy: 1 } }, 'warning', '0.1 %'],
  ['Failed joins', { outcomes: { joined: 95, internal_error: 5 } }, 'critical', '5 %'],
  ['Failed joins', { outcomes: { team_full: 100 } }, 'ok', '0 %'],
  ['Errors of the service', { errors_per_second: 0.05 }, 'warning', '0.5 %'],
  ['Errors of the service', { errors_per_second: 0.1 }, 'critical', '1 %'],
  ['p99 response time', { p99_ms: 499 }, 'ok', '499 ms'],
  ['p99 response time', { p99_ms: 500 }, 'warning', '500 ms'],
  ['p99 response time', { p99_ms: 1500 }, 'critical', '1.5 s'],
  ['Database latency', { database_ms: 80.25 }, 'warning', '80.25 ms'],
  ['Webhook backlog', { webhook_backlog_seconds: 1200 }, 'warning', '20 min'],
] as const)('%s of %o is %s', (label, more, level, value) => {
  expect(read(minutes(more), label)).toMatchObject({ level, value });
});

test('one slow minute of five raises no alarm, and older minutes do not count', () => {
  const slow = minutes({ p99_ms: 9000 }, 1);
  const fast = minutes({ p99_ms: 5 }, 4);
  expect(read([...fast, ...slow], 'p99 response time')?.level).toBe('ok');
  expect(
    read([...minutes({ p99_ms: 9000 }), ...minutes({ p99_ms: 5 })], 'p99 response time'),
  ).toMatchObject({ level: 'ok' });
});

test('a slow request among quiet minutes raises no alarm', () => {
  const slow = minutes({ p99_ms: 20_000 }, 1);
  const read99 = (points: readonly Point[]) => read(points, 'p99 response time')?.level;
  expect(read99([...minutes({}, 4), ...slow])).toBe('unknown');
  expect(read99([...minutes({}, 3), ...slow, ...minutes({ p99_ms: 5 }, 1)])).toBe('unknown');
  expect(read99([...minutes({}, 2), ...slow, ...minutes({ p99_ms: 5 }, 2)])).toBe('ok');
  const two = [...slow, ...slow, ...minutes({ p99_ms: 5 }, 2)];
  expect(read99([...minutes({}, 1), ...two])).toBe('ok');
});

test('judges no response time of fewer than 100 requests', () => {
  const slow = { p99_ms: 9000 };
  const coldStart = minutes({ ...slow, requests_per_second: 0.3 });
  expect(read(coldStart, 'p99 response time')?.level).toBe('unknown');
  const busy = minutes({ ...slow, requests_per_second: 0.4 });
  expect(read(busy, 'p99 response time')?.level).toBe('critical');
});

test('judges no share of fewer than 100 requests, and nothing without data', () => {
  const quiet = minutes({ requests_per_second: 0.3, errors_per_second: 0.3, outcomes: {} });
  expect(judge(quiet).map(({ level }) => level)).toEqual(Array(5).fill('unknown'));
  expect(judge([])).toEqual(
    expect.arrayContaining([
      {
        label: 'p99 response time',
        level: 'unknown',
        limits: 'Warning from 500 ms, critical from 1 s',
      },
    ]),
  );
});

test('lists critical readings first, and none while everything is well', () => {
  expect(listAlarms(judge(minutes({ p99_ms: 20 })))).toEqual([]);
  const alarms = listAlarms(judge(minutes({ errors_per_second: 0.05, p99_ms: 2000 })));
  expect(alarms.map(({ label }) => label)).toEqual(['p99 response time', 'Errors of the service']);
});
