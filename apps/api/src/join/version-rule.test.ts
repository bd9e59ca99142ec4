import { expect, test } from 'vitest';
import { isVersionCompatible } from './version-rule.ts';

test.each([
  ['none', '9.9.9', '1.0.0', true],
  ['major', '1.9.9', '1.0.0', true],
  ['major', '2.0.0', '1.0.0', false],
  ['minor', '1.2.9', '1.2.0', true],
  ['minor', '1.3.0', '1.2.0', false],
  ['patch', '1.2.3-beta+7', '1.2.3', true],
  ['patch', '1.2.4', '1.2.3', false],
  ['exact', '1.2.3+build.2', '1.2.3+build.1', true],
  ['exact', '1.2.3-beta', '1.2.3', false],
  ['exact', '1.2.3-beta.1', '1.2.3-beta.1', true],
  ['patch', '99999999999999999999.1.0', '99999999999999999999.1.0', true],
  ['patch', '99999999999999999999.1.0', '99999999999999999998.1.0', false],
] as const)('the rule %s lets %s to %s: %s', (rule, client, instance, expected) => {
  expect(isVersionCompatible(rule, client, instance)).toBe(expected);
});

test('an instance without a version takes every client', () => {
  expect(isVersionCompatible('exact', '1.0.0', undefined)).toBe(true);
});
