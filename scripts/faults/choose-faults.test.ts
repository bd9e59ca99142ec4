import { describe, expect, test } from 'vitest';
import { chooseFaults } from './choose-faults.mjs';

describe('npm run faults', () => {
  test('runs all files without a name', () => {
    const all = chooseFaults([]) ?? [];
    expect(all.length).toBeGreaterThan(8);
    expect(all).toContain('test/faults/rolling-restart.test.ts');
  });

  test('runs those that are named, and no other', () => {
    expect(chooseFaults(['rolling-restart', 'disk'])).toEqual([
      'test/faults/disk-faults.test.ts',
      'test/faults/rolling-restart.test.ts',
    ]);
  });

  test.each([['disc'], ['disk', 'nonsense'], ['--sorry']])('refuses %s %s', (...args) => {
    expect(() => chooseFaults(args)).toThrow(/Names: .*disk/);
  });

  test('--help runs nothing', () => {
    expect(chooseFaults(['--help'])).toBe(null);
  });
});
