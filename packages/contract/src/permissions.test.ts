import { expect, test } from 'vitest';
import {
  coversAll,
  JOIN_FOR_ANY,
  JOIN_FOR_SELF,
  narrowToSandboxes,
  PERMISSIONS,
  permits,
  READ_HISTORY,
  ROLE_NAMES,
  ROLES,
} from './permissions.ts';

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
  [`sandbox:${SANDBOX.replaceAll('-', '')}:config:view`, true],
  [`sandbox:${SANDBOX}:*`, true],
  [`sandbox:${OTHER}:config:view`, false],
  [`sandbox:${OTHER}:*`, false],
  [`sandbox:${SANDBOX}:CONFIG:VIEW`, false],
  ['session:*', false],
])('%s reads the history of the sandbox: %s', (granted, expected) => {
  expect(permits([granted], READ_HISTORY, SANDBOX)).toBe(expected);
});

test('each role may do everything that the role below it may', () => {
  for (const [index, role] of ROLE_NAMES.slice(1).entries()) {
    const below = ROLE_NAMES[index] ?? 'owner';
    expect([role, coversAll(ROLES[role], ROLES[below])]).toEqual([role, true]);
    expect([role, coversAll(ROLES[below], ROLES[role])]).toEqual([role, false]);
  }
  expect(coversAll(ROLES.owner, PERMISSIONS)).toBe(true);
  expect(permits(ROLES.admin, ['people:manage'])).toBe(false);
  expect(permits(ROLES.editor, ['key:manage'])).toBe(false);
});

test('a role narrowed to sandboxes reaches those and no others', () => {
  const narrowed = narrowToSandboxes(ROLES.editor, [SANDBOX.toUpperCase()]);
  expect(permits(narrowed, ['sandbox:config:edit'], SANDBOX)).toBe(true);
  expect(permits(narrowed, ['sandbox:config:edit'], OTHER)).toBe(false);
  expect(permits(narrowed, ['sandbox:config:edit'])).toBe(false);
  expect(permits(narrowed, ['session:view'])).toBe(true);
  expect(narrowToSandboxes(ROLES.editor, undefined)).toEqual(ROLES.editor);
  expect(narrowToSandboxes(['people:view', 'people:manage'], [SANDBOX])).toEqual([]);
  expect(permits(narrowToSandboxes(ROLES.admin, []), ['sandbox:*'], SANDBOX)).toBe(false);
});

test.each([
  [['*'], ['*'], true],
  [['session:*', 'player:*', 'sandbox:*'], ['*'], false],
  [['sandbox:*'], [`sandbox:${SANDBOX}:*`], true],
  [['sandbox:config:edit'], [`sandbox:${SANDBOX}:config:edit`], true],
  [['sandbox:config:*'], [`sandbox:${SANDBOX}:config:edit`], true],
  [['sandbox:config:*'], [`sandbox:${SANDBOX}:*`], false],
  [['sandbox:config:view'], [`sandbox:${SANDBOX}:config:edit`], false],
  [[`sandbox:${SANDBOX}:*`], [`sandbox:${SANDBOX.toUpperCase()}:config:edit`], true],
  [[`sandbox:${SANDBOX}:*`], [`sandbox:${OTHER}:config:edit`], false],
  [[`sandbox:${SANDBOX}:*`], ['sandbox:config:edit'], false],
  [[`sandbox:${SANDBOX}:config:edit`], ['sandbox:*'], false],
  [['session:update-player:any'], ['session:*'], false],
  [['session:view'], ['session:view', 'player:view'], false],
  [['key:manage'], [], true],
])('who holds %j may grant %j: %s', (held, granted, expected) => {
  expect(coversAll(held, granted)).toBe(expected);
});

test('many grants are checked against many permissions without comparing each pair', () => {
  let looks = 0;
  const ids = Array.from({ length: 100 }, (_, index) => `${SANDBOX.slice(0, -3)}${100 + index}`);
  const grants = narrowToSandboxes(ROLES.admin, ids);
  const held = new Proxy(grants, {
    get: (target, property) => {
      looks += typeof property === 'string' && /^\d+$/.test(property) ? 1 : 0;
      return Reflect.get(target, property);
    },
  });
  expect(coversAll(held, grants)).toBe(true);
  expect(looks).toBeLessThan(10 * grants.length);
});
