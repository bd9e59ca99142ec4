import { describe, expect, test } from 'vitest';
import { chooseFaults } from './faults.mjs';

describe('node scripts/run.mjs faults', () => {
  test('runs all files without a name', () => {
    const all = chooseFaults([]);
    expect(all.length).toBeGreaterThan(8);
    expect(all).toContain('apps/api/test/faults/rolling-restart.proof.test.ts');
  });

  test('runs those that are named, and no other', () => {
    expect(chooseFaults(['rolling-restart', 'disk'])).toEqual([
      'apps/api/test/faults/disk-faults.proof.test.ts',
      'apps/api/test/faults/rolling-restart.proof.test.ts',
    ]);
  });

  test.each([['disc'], ['disk', 'nonsense'], ['--help']])('refuses %s %s', (...args) => {
    expect(() => chooseFaults(args)).toThrow(/Names: .*disk/);
  });
});
