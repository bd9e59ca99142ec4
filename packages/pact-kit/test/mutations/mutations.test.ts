import { describe, expect, it } from 'vitest';
import { readPact } from '../../src/pact-files/read-pact.ts';
import { checkPacts } from '../../src/static-check/check-pacts.ts';
import type { NamedPact } from './index.ts';
import { listCorrectPacts, listMutatedPacts } from './index.ts';

const check = ({ name, pact }: NamedPact) => {
  const file = `${name}.json`;
  const read = readPact(JSON.stringify(pact, null, 2), file);
  return [...read.findings, ...checkPacts(read.pact ? [read.pact] : [])];
};

const MUTATED = listMutatedPacts();
const CORRECT = listCorrectPacts();

describe('the static check', () => {
  it('is tested with 40 wrong and 20 correct pacts', () => {
    expect([MUTATED.length, CORRECT.length]).toEqual([40, 20]);
    expect(new Set(MUTATED.map(({ name }) => name)).size).toBe(40);
  });

  it.each(CORRECT)('passes without a word: $name', (pact) => {
    expect(check(pact)).toEqual([]);
  });

  it.each(MUTATED)('names what is wrong: $name', ({ rule, words, ...pact }) => {
    const findings = check(pact);
    expect(findings.map((finding) => finding.rule)).toEqual([rule]);
    const [finding] = findings;
    expect(finding?.severity).toBe('error');
    const said = `${finding?.message} ${finding?.suggestion ?? ''}`;
    for (const word of words) expect(said).toContain(word);
    expect(finding?.place.file).toBe(`${pact.name}.json`);
    if (rule !== 'no-interaction-found') expect(finding?.place.line).toBeGreaterThan(1);
  });

  it('catches all of them whatever the seed', () => {
    for (let seed = 2; seed <= 20; seed += 1) {
      for (const { name, rule, pact } of listMutatedPacts(seed)) {
        const rules = check({ name, pact }).map((finding) => finding.rule);
        expect([seed, name, rules]).toEqual([seed, name, [rule]]);
      }
    }
  });
});
