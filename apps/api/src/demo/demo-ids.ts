import type { SeededRandom } from './seeded-random.ts';

/** Such as `ticket-5f0c2a9d41be`. */
export const makeId = (random: SeededRandom, prefix: string): string =>
  `${prefix}-${Buffer.from(random.bytes(6)).toString('hex')}`;
