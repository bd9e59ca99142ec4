import { expect, test } from 'vitest';
import { formatAbsolute, formatRelative, toInputValue, toInstant } from './format-time.ts';

const NOW = new Date('2026-11-21T04:00:00.000Z');
const after = (seconds: number) => new Date(NOW.getTime() + seconds * 1000);

test.each([
  [-2, 'now'],
  [12, 'now'],
  [-40, '40 seconds ago'],
  [-60, '1 minute ago'],
  [-7_200, '2 hours ago'],
  [-86_400, 'yesterday'],
  [3 * 86_400, 'in 3 days'],
  [-400 * 86_400, 'last year'],
])('%i seconds from now is "%s"', (seconds, words) => {
  expect(formatRelative(after(seconds), NOW)).toBe(words);
});

test('the exact time includes its zone', () => {
  expect(formatAbsolute(NOW, 'utc')).toBe('2026-11-21 04:00:00 UTC');
  expect(formatAbsolute(NOW, 'local')).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d GMT/);
});

test.each(['utc', 'local'] as const)('a time typed in %s is read back unchanged', (zone) => {
  expect(toInstant(toInputValue(NOW.toISOString(), zone), zone)).toBe(NOW.toISOString());
  expect(toInstant('', zone)).toBeUndefined();
  expect(toInputValue('tomorrow', zone)).toBe('');
});

test('reads 24-hour times, reads a date as its start, and rejects anything else', () => {
  expect(toInputValue('2026-11-21T16:05:00Z', 'utc')).toBe('2026-11-21 16:05');
  expect(toInstant('2026-11-21 16:05', 'utc')).toBe('2026-11-21T16:05:00.000Z');
  expect(toInstant('2026-11-21', 'utc')).toBe('2026-11-21T00:00:00.000Z');
  for (const wrong of ['4:05 PM', '2026-11-21 4 PM', '2026-11-21 25:00', '21.11.2026']) {
    expect(toInstant(wrong, 'utc')).toBeUndefined();
  }
});
