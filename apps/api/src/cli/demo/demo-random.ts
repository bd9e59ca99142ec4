// Random choices and times that are the same in every run: the same seed makes the same demo.
import { v4 as uuidv4 } from 'uuid';

export type SeededRandom = {
  /** From 0 up to, but not including, 1. */
  fraction(): number;
  /** Both ends included. */
  integer(min: number, max: number): number;
  chance(probability: number): boolean;
  pick<T>(choices: readonly T[]): T;
  shuffle<T>(values: readonly T[]): T[];
  bytes(length: number): Uint8Array;
  /** In the layout of UUID version 4. */
  uuid(): string;
};

/** The generator is mulberry32: 32 bits of state are enough for a demo. Never for secrets. */
export const createSeededRandom = (seed: number): SeededRandom => {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  const fraction = () => next() / 2 ** 32;
  const integer = (min: number, max: number) => min + Math.floor(fraction() * (max - min + 1));
  const bytes = (length: number) => {
    const words = new Uint32Array(Math.ceil(length / 4));
    for (let index = 0; index < words.length; index += 1) words[index] = next();
    return new Uint8Array(words.buffer, 0, length);
  };
  return {
    fraction,
    integer,
    bytes,
    chance: (probability) => fraction() < probability,
    pick: (choices) => pickAt(choices, integer(0, choices.length - 1)),
    shuffle: (values) =>
      values
        .map((value) => ({ value, rank: fraction() }))
        .sort((a, b) => a.rank - b.rank)
        .map(({ value }) => value),
    uuid: () => uuidv4({ random: bytes(16) }),
  };
};

const pickAt = <T>(choices: readonly T[], index: number): T => {
  if (index < 0) throw new RangeError('There is nothing to pick from.');
  return choices[index] as T;
};

const DAY_MS = 86_400_000;
const OPENING_MS = 8 * 3_600_000;
const WORKING_DAY_MS = 11 * 3_600_000;

/** Midnight (UTC) at the end of yesterday: nothing in the demo is newer. */
export const endOfYesterday = (now: Date): Date =>
  new Date(Math.floor(now.getTime() / DAY_MS) * DAY_MS);

export const daysBefore = (end: Date, days: number): Date =>
  new Date(end.getTime() - days * DAY_MS);

/**
 * The time at a fraction (0 up to 1) of the period from `start` to `end`, both at midnight. Larger fractions are later,
 * and every time is between 8:00 and 19:00.
 */
export const workingMoment = (start: Date, end: Date, fraction: number): Date => {
  const raw = start.getTime() + fraction * (end.getTime() - start.getTime());
  const midnight = Math.floor(raw / DAY_MS) * DAY_MS;
  const share = (raw - midnight) / DAY_MS;
  return new Date(midnight + OPENING_MS + Math.floor(share * WORKING_DAY_MS));
};

/** Such as `ticket-5f0c2a9d41be`. */
export const makeId = (random: SeededRandom, prefix: string): string =>
  `${prefix}-${Buffer.from(random.bytes(6)).toString('hex')}`;
