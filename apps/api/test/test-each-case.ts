// The cases of the conformance suite as tests, against any service.
import type { Case, Target } from '@muster/conformance';
import { runCase } from '@muster/conformance';
import { expect, it } from 'vitest';

export const nameOf = ({ section, title }: Case): string => `${section}: ${title}`;

/** `targetOf` is called when the tests run, since services are started before them. */
export const testEachCase = (
  cases: readonly Case[],
  targetOf: () => Target,
  { timeoutMs, onPassed }: { timeoutMs: number; onPassed?: (passed: Case) => void },
): void => {
  for (const each of cases) {
    it.concurrent(
      nameOf(each),
      async () => {
        const { outcome, detail } = await runCase(each, targetOf(), timeoutMs);
        if (outcome === 'passed') onPassed?.(each);
        expect(outcome, detail).not.toBe('failed');
      },
      // The case itself names what took too long.
      timeoutMs + 5_000,
    );
  }
};
