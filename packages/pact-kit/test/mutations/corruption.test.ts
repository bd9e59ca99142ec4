import { describe, expect, it } from 'vitest';
import { readPact } from '../../src/pact-files/read-pact.ts';
import { checkPacts } from '../../src/static-check/check-pacts.ts';
import { listCorrectPacts } from './index.ts';
import type { Random } from './seeded-random.ts';
import { createRandom } from './seeded-random.ts';

const RUBBISH = [
  null,
  true,
  0,
  -1.5,
  '',
  'x',
  '$',
  '$[',
  [],
  {},
  [[null]],
  { match: 'regex' },
  { matchers: 7 },
];

type Spot = { holder: object; key: string };

const listSpots = (value: unknown): Spot[] =>
  typeof value !== 'object' || value === null
    ? []
    : Object.keys(value).flatMap((key) => [
        { holder: value, key },
        ...listSpots(Reflect.get(value, key)),
      ]);

/** Puts rubbish in the place of anything in the pact, or takes the place away. */
const corrupt = (pact: object, random: Random): void => {
  const { holder, key } = random.pick(listSpots(pact));
  if (random.below(4) === 0) Reflect.deleteProperty(holder, key);
  else Reflect.set(holder, key, random.pick(RUBBISH));
};

describe('a pact that is corrupt in any place', () => {
  it('gives findings with a sentence and never an exception', () => {
    for (let seed = 1; seed <= 600; seed += 1) {
      const random = createRandom(seed);
      const { pact } = structuredClone(random.pick(listCorrectPacts()));
      for (let times = 1 + random.below(3); times > 0; times -= 1) corrupt(pact, random);
      const read = readPact(JSON.stringify(pact), 'a.json');
      const findings = [...read.findings, ...checkPacts(read.pact ? [read.pact] : [])];
      for (const { message } of findings) expect(message).toMatch(/^\S[^\n]*\.$/);
    }
  });
});
