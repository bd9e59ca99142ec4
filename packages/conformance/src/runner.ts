// Runs cases side by side, each with a time limit, and says of each how it ended.
import type { Case } from './case.ts';
import { SkippedCase } from './case.ts';
import { describeFailure } from './describe-failure.ts';
import { Context } from './target/context.ts';
import type { Target } from './target/target.ts';

export type CaseResult = {
  readonly section: string;
  readonly title: string;
  readonly outcome: 'passed' | 'failed' | 'skipped';
  readonly durationMs: number;
  /** Why it was skipped, or what a reader needs to see the failure again. */
  readonly detail?: string;
};

export type RunOptions = {
  concurrency?: number;
  timeoutMs?: number;
  onResult?: (result: CaseResult) => void;
};

const DEFAULT_TIMEOUT_MS = 30_000;

/** Never rejects: whatever a case throws is its result. */
export const runCase = async (
  { section, title, run }: Case,
  target: Target,
  timeoutMs: number = DEFAULT_TIMEOUT_MS,
): Promise<CaseResult> => {
  const startedAt = performance.now();
  const abort = new AbortController();
  const context = new Context(target, abort.signal);
  const ended = (outcome: CaseResult['outcome'], detail?: string): CaseResult => {
    const durationMs = Math.round(performance.now() - startedAt);
    return { section, title, outcome, durationMs, ...(detail !== undefined && { detail }) };
  };
  try {
    await withTimeout(run(context), timeoutMs);
    return ended('passed');
  } catch (error) {
    if (error instanceof SkippedCase) return ended('skipped', error.message);
    return ended('failed', describeFailure(title, error, context));
  } finally {
    abort.abort();
  }
};

const withTimeout = async (running: Promise<void>, timeoutMs: number): Promise<void> => {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`Not done after ${timeoutMs} ms`)), timeoutMs);
  try {
    await Promise.race([running, promise]);
  } finally {
    clearTimeout(timer);
  }
};

/** Results in the order of the cases, whatever order they ended in. */
export const runCases = async (
  cases: readonly Case[],
  target: Target,
  { concurrency = 8, timeoutMs = DEFAULT_TIMEOUT_MS, onResult }: RunOptions = {},
): Promise<CaseResult[]> => {
  const results: CaseResult[] = [];
  const waiting = cases.entries();
  const work = async (): Promise<void> => {
    for (const [index, next] of waiting) {
      const result = await runCase(next, target, timeoutMs);
      results[index] = result;
      onResult?.(result);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  return results;
};
