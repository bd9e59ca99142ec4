import { expect, test } from 'vitest';
import { giveBack } from './give-back.ts';

test('bytes with memory of their own are empty once it is given back', () => {
  const bytes = Buffer.allocUnsafeSlow(1_000);
  giveBack(bytes);
  expect(bytes).toHaveLength(0);
  expect(() => giveBack(bytes)).not.toThrow();
});

test('bytes that share their memory with others are left alone', () => {
  const whole = Buffer.from('shared by two'.padEnd(10_000));
  giveBack(whole.subarray(0, 6));
  expect(whole.toString('utf8', 0, 13)).toBe('shared by two');
});

test.each([
  ['shared', () => new SharedArrayBuffer(10)],
  ['of WebAssembly', () => new WebAssembly.Memory({ initial: 1 }).buffer],
])('memory that is %s is left alone', (_, open) => {
  const bytes = new Uint8Array(open());
  giveBack(bytes);
  expect(bytes.length).toBeGreaterThan(0);
});
