import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Decimal } from './decimal.ts';
import {
  addDecimals,
  addPercent,
  formatDecimal,
  multiplyDecimals,
  parseDecimal,
  roundDecimal,
} from './decimal.ts';

const read = (text: string): Decimal => {
  const value = parseDecimal(text);
  if (!value) throw new Error(`Not a number: ${text}`);
  return value;
};
const write = (value: Decimal) => formatDecimal(value, 0);

const decimals = fc
  .tuple(fc.bigInt(-(10n ** 20n), 10n ** 20n), fc.nat(10))
  .map(([units, digits]) => ({ units, digits }));

/** The value as a whole number of 10^-40, so that values of any digits compare. */
const toUnits = ({ units, digits }: Decimal) => units * 10n ** BigInt(40 - digits);

describe('the arithmetic of decimal texts', () => {
  test('has none of the artefacts of binary fractions', () => {
    expect(write(addDecimals(read('0.1'), read('0.2')))).toBe('0.3');
    expect(write(multiplyDecimals(read('19.99'), read('0.8')))).toBe('15.992');
    expect(write(addPercent(read('1.10'), read('-10')))).toBe('0.99');
    const large = '900719925474099312345.67';
    expect(write(addDecimals(read(large), read('0.01')))).toBe('900719925474099312345.68');
  });

  test('refuses a text that is not a number', () => {
    for (const text of ['', 'free', '1e3', '1,5', ' 1', '+1', '.5', '5.', '0x10', 'NaN']) {
      expect(parseDecimal(text), text).toBeUndefined();
    }
  });

  test('writes any number so that it reads as the same number, in the shortest way', () => {
    fc.assert(
      fc.property(decimals, (value) => {
        const text = write(value);
        expect(toUnits(read(text))).toBe(toUnits(value));
        expect(text).not.toMatch(/\.\d*0$|^-0$/);
      }),
    );
  });

  test('subtracting an added number restores the value, and operands can be swapped', () => {
    fc.assert(
      fc.property(decimals, decimals, (left, right) => {
        const sum = addDecimals(left, right);
        expect(sum).toEqual(addDecimals(right, left));
        const back = addDecimals(sum, { ...right, units: -right.units });
        expect(toUnits(back)).toBe(toUnits(left));
        expect(multiplyDecimals(left, right)).toEqual(multiplyDecimals(right, left));
      }),
    );
  });

  test('a percentage is the sum of its part and the value', () => {
    fc.assert(
      fc.property(decimals, decimals, (value, percent) => {
        const part = multiplyDecimals(value, { ...percent, digits: percent.digits + 2 });
        expect(toUnits(addPercent(value, percent))).toBe(toUnits(addDecimals(value, part)));
      }),
    );
  });
});

describe('rounding', () => {
  test.each([
    ['15.992', 'nearest', 0, '16'],
    ['2.5', 'nearest', 0, '3'],
    ['-2.5', 'nearest', 0, '-3'],
    ['-2.4', 'nearest', 0, '-2'],
    ['2.1', 'up', 0, '3'],
    ['-2.1', 'up', 0, '-2'],
    ['2.9', 'down', 0, '2'],
    ['-2.1', 'down', 0, '-3'],
    ['-0.4', 'nearest', 0, '0'],
    ['3.145', 'nearest', 2, '3.15'],
    ['7', 'up', 2, '7'],
  ] as const)('%s is rounded %s to %i digits as %s', (text, mode, digits, expected) => {
    expect(write(roundDecimal(read(text), { mode, digits }))).toBe(expected);
  });

  test('differs by less than one step, in the direction of its mode', () => {
    const modes = fc.constantFrom('nearest' as const, 'up' as const, 'down' as const);
    fc.assert(
      fc.property(decimals, modes, fc.nat(10), (value, mode, digits) => {
        const rounded = roundDecimal(value, { mode, digits });
        expect(rounded.digits).toBeLessThanOrEqual(Math.max(digits, 0));
        const difference = toUnits(rounded) - toUnits(value);
        const step = 10n ** BigInt(40 - digits);
        const isInRange = {
          up: difference >= 0n && difference < step,
          down: difference <= 0n && difference > -step,
          nearest: 2n * difference <= step && 2n * difference >= -step,
        };
        expect(isInRange[mode]).toBe(true);
      }),
    );
  });
});
