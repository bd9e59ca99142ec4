// Runs cases side by side, each with a time limit, and says of each how it ended.

import { z } from 'zod';
import type { Case, Target } from './target/context.ts';
import { Context } from './target/context.ts';
import type { Answer } from './target/send-request.ts';
import { describeAnswer, describeRequest, SkippedCase } from './target/send-request.ts';

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
  /** Once it is aborted, no other case begins. */
  signal?: AbortSignal;
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

/** Results in the order of the cases, whatever order they ended in; none of those that did not begin. */
export const runCases = async (
  cases: readonly Case[],
  target: Target,
  { concurrency = 8, timeoutMs = DEFAULT_TIMEOUT_MS, onResult, signal }: RunOptions = {},
): Promise<CaseResult[]> => {
  const results: CaseResult[] = [];
  const waiting = cases.entries();
  const work = async (): Promise<void> => {
    for (const [index, next] of waiting) {
      if (signal?.aborted) return;
      const result = await runCase(next, target, timeoutMs);
      results[index] = result;
      onResult?.(result);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  return results.filter((result) => result !== undefined);
};

/** Marks an error with the answer that it is about, where requests ran side by side. */
export const blame = (error: unknown, answer: Answer): unknown =>
  error instanceof Error && !('answer' in error) ? Object.assign(error, { answer }) : error;

const answerOf = (error: unknown, context: Context): Answer | undefined =>
  error instanceof Error && 'answer' in error ? (error.answer as Answer) : context.lastAnswer;

const messageOf = (error: unknown): string => {
  if (error instanceof z.ZodError) return `Not the documented shape:\n${z.prettifyError(error)}`;
  return error instanceof Error ? error.message : String(error);
};

/** The sentence, what went wrong, the request as curl (its token redacted) and the answer. */
const describeFailure = (title: string, error: unknown, context: Context): string => {
  const answer = answerOf(error, context);
  const exchange = answer
    ? [describeRequest(context.target.settings.baseUrl, answer.request), describeAnswer(answer)]
    : ['(no request was answered)'];
  return [title, messageOf(error), ...exchange].join('\n');
};

// How a run ends: the failures in full, a table by section, one closing line.

type Counts = Record<CaseResult['outcome'], number>;

const countOutcomes = (results: readonly CaseResult[]): Counts => {
  const counts: Counts = { passed: 0, failed: 0, skipped: 0 };
  for (const { outcome } of results) counts[outcome] += 1;
  return counts;
};

/** `N passed, N failed, N skipped`. */
export const closingLine = (results: readonly CaseResult[]): string => {
  const { passed, failed, skipped } = countOutcomes(results);
  return `${passed} passed, ${failed} failed, ${skipped} skipped`;
};

export const summaryTable = (results: readonly CaseResult[]): string => {
  const sections = Object.entries(Object.groupBy(results, ({ section }) => section));
  const width = Math.max(...sections.map(([section]) => section.length), 'section'.length);
  const line = (cells: readonly (string | number)[]): string =>
    cells.map((cell, index) => (index ? `${cell}`.padStart(8) : `${cell}`.padEnd(width))).join(' ');
  return [
    line(['section', 'passed', 'failed', 'skipped']),
    ...sections.map(([section, ofSection = []]) => {
      const { passed, failed, skipped } = countOutcomes(ofSection);
      return line([section, passed, failed, skipped]);
    }),
  ].join('\n');
};

/** Why cases were skipped, each reason once with its count. */
export const skippedReasons = (results: readonly CaseResult[]): string[] =>
  Object.entries(
    Object.groupBy(
      results.filter(({ outcome }) => outcome === 'skipped'),
      ({ detail }) => detail ?? '',
    ),
  ).map(([reason, cases = []]) => `skipped ${cases.length}: ${reason}`);
