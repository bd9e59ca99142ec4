// Exact arithmetic with decimal numbers that are texts. A number never becomes a binary fraction, so 0.1 + 0.2 is 0.3.
import { readFilterNumber } from '@muster/contract';

/** The number is `units` divided by ten to the power of `digits`. */
export type Decimal = { units: bigint; digits: number };

export type Rounding = { mode: 'nearest' | 'up' | 'down'; digits: number };

/** Undefined for a text that filters do not compare as a number. */
export const parseDecimal = (text: string): Decimal | undefined => {
  if (readFilterNumber(text) === undefined) return undefined;
  const [whole = '', fraction = ''] = text.split('.');
  return { units: BigInt(whole + fraction), digits: fraction.length };
};

export const addDecimals = (left: Decimal, right: Decimal): Decimal => {
  const digits = Math.max(left.digits, right.digits);
  return { units: scale(left, digits) + scale(right, digits), digits };
};

export const multiplyDecimals = (left: Decimal, right: Decimal): Decimal => ({
  units: left.units * right.units,
  digits: left.digits + right.digits,
});

/** Adds this percentage of the value; a negative one subtracts. */
export const addPercent = (value: Decimal, percent: Decimal): Decimal => {
  const factor = addDecimals(percent, { units: 100n, digits: 0 });
  return multiplyDecimals(value, { units: factor.units, digits: factor.digits + 2 });
};

/** `up` and `down` are toward plus and minus infinity; `nearest` rounds halves away from zero. */
export const roundDecimal = (value: Decimal, { mode, digits }: Rounding): Decimal => {
  if (value.digits <= digits) return value;
  const step = power(value.digits - digits);
  const remainder = ((value.units % step) + step) % step;
  const floor = (value.units - remainder) / step;
  const isUp = remainder > 0n && goesUp(mode, 2n * remainder, step, value.units > 0n);
  return { units: isUp ? floor + 1n : floor, digits };
};

const goesUp = (mode: Rounding['mode'], twice: bigint, step: bigint, isPositive: boolean) => {
  if (mode !== 'nearest') return mode === 'up';
  return isPositive ? twice >= step : twice > step;
};

/** Without zeros at the end of the fraction, except for those that make up the shortest fraction. */
export const formatDecimal = ({ units, digits }: Decimal, shortest: number): string => {
  const sign = units < 0n ? '-' : '';
  const figures = String(units < 0n ? -units : units).padStart(digits + 1, '0');
  const whole = figures.slice(0, figures.length - digits);
  const fraction = figures.slice(figures.length - digits).replace(/0+$/, '');
  const shown = fraction.padEnd(shortest, '0');
  return sign + whole + (shown === '' ? '' : `.${shown}`);
};

const power = (exponent: number): bigint => 10n ** BigInt(exponent);

const scale = ({ units, digits }: Decimal, wanted: number): bigint =>
  units * power(wanted - digits);
