import { expect, test } from 'vitest';
import { JOIN_FOR_ANY, JOIN_FOR_SELF, permits, READ_HISTORY } from './permissions.ts';

const SANDBOX = 'aaaaaaaa-0000-0000-0000-000000000001';
const OTHER = 'aaaaaaaa-0000-0000-0000-000000000002';

test.each([
  [['*'], true],
  [['session:*'], true],
  [['session:update-player:*'], true],
  [['session:update-player:any'], true],
  [['session:update-player:self'], false],
  [['session'], false],
  [['sessions:*'], false],
  [['session*'], false],
  [[], false],
])('%s may act for any player: %s', (granted, expected) => {
  expect(permits(granted, JOIN_FOR_ANY)).toBe(expected);
});

test('session:update-player:self acts for oneself', () => {
  expect(permits(['session:update-player:self'], JOIN_FOR_SELF)).toBe(true);
  expect(permits(['sandbox:*'], JOIN_FOR_SELF)).toBe(false);
});

test.each([
  ['sandbox:config:view', true],
  ['sandbox:config:edit', true],
  ['sandbox:config:*', true],
  ['sandbox:*', true],
  ['*', true],
  [`sandbox:${SANDBOX}:config:view`, true],
  [`sandbox:${SANDBOX.toUpperCase()}:config:view`, true],
  [`sandbox:${SANDBOX}:*`, true],
  [`sandbox:${OTHER}:config:view`, false],
  [`sandbox:${OTHER}:*`, false],
  [`sandbox:${SANDBOX}:CONFIG:VIEW`, false],
  ['session:*', false],
])('%s reads the history of the sandbox: %s', (granted, expected) => {
  expect(permits([granted], READ_HISTORY, SANDBOX)).toBe(expected);
});
