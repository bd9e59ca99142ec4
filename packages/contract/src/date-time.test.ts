import { expect, test } from 'vitest';
import { DateTimeInput } from './strings.ts';

test.each([
  ['2026-03-14T10:26:53.589+01:00', '2026-03-14T09:26:53.589Z'],
  ['2026-03-14T09:26:53Z', '2026-03-14T09:26:53.000Z'],
  [1_773_480_413, '2026-03-14T09:26:53.000Z'],
  [1_773_480_413.5894, '2026-03-14T09:26:53.589Z'],
  [0, '1970-01-01T00:00:00.000Z'],
])('reads %s as %s', (input, expected) => {
  expect(DateTimeInput.parse(input)).toBe(expected);
});

test.each(['2026-03-14T09:26:53', '2026-03-14', 'now', '', 1e16, Number.NaN, null])(
  'refuses %s: a date-time has a zone or is Unix seconds',
  (input) => {
    expect(DateTimeInput.safeParse(input).success).toBe(false);
  },
);
