import { describe, expect, inject, it } from 'vitest';
import { listCorrectPacts } from './mutations/index.ts';
import { replay } from './verify-for-test.ts';

const provider = inject('provider');
const PACTS = listCorrectPacts();

const problemsOf = async (pacts: readonly { pact: object }[]) => {
  const results = await replay(
    pacts.map(({ pact }) => pact),
    provider,
  );
  return results.flatMap(({ findings }) =>
    findings.map(({ message, interaction }) => ({ message, interaction })),
  );
};

describe('the real service', () => {
  it('keeps all of 20 correct pacts', async () => {
    expect(await problemsOf(PACTS)).toEqual([]);
  });

  it('keeps them in the opposite order, and twice: no interaction meets what another one left', async () => {
    const reversed = PACTS.toReversed();
    expect(await problemsOf([...reversed, ...reversed])).toEqual([]);
  });
});
