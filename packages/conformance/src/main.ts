// The command `npm run conformance`: runs the suite against a base URL and reports.
// Exit codes: 0 every case passed or was skipped, 1 a case failed, 2 wrong usage or no answer, 130 and 143 ended by a signal.
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { z } from 'zod';
import { readOptions, USAGE, UsageError } from './cli-options.ts';
import type { CaseResult } from './runner.ts';
import { closingLine, runCases, skippedReasons, summaryTable } from './runner.ts';
import { suite } from './suite.ts';
import type { CleanedUp } from './target/clean-up.ts';
import { cleanUp, describeCleanUp } from './target/clean-up.ts';
import type { Target, TargetSettings } from './target/context.ts';
import { bearer, createTarget } from './target/context.ts';
import { closeConnections, sendRequest } from './target/send-request.ts';

const print = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

const MARKS = { passed: 'ok  ', failed: 'FAIL', skipped: 'skip' } as const;

const showResult = ({ outcome, section, title, detail }: CaseResult): void => {
  print(`${MARKS[outcome]} ${section} › ${title}`);
  if (outcome === 'failed') print(`${(detail ?? '').replaceAll(/^/gm, '     ')}\n`);
};

const assertReachable = async ({ baseUrl }: TargetSettings): Promise<void> => {
  const request = { method: 'GET', path: '/' };
  try {
    await sendRequest(baseUrl, request, AbortSignal.timeout(10_000));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(`${baseUrl} does not answer: ${reason}`);
  }
};

/** Fails early when the token is rejected: nearly every case would fail, without naming the cause. */
const assertAccepted = async ({ settings, token }: Target, credential: string): Promise<void> => {
  const path = `/v1/history/sandbox/${randomUUID()}/item/`;
  const request = { method: 'GET', path, headers: bearer(token) };
  const { body } = await sendRequest(settings.baseUrl, request, AbortSignal.timeout(10_000));
  const refusal = Refusal.safeParse(body);
  if (!refusal.success) return;
  const { error_code, desc } = refusal.data;
  throw new UsageError(
    `${settings.baseUrl} refuses the credential of ${credential} with ${error_code} (${desc}) Give the DATA_DIR or AUTH_JWT_SECRET of that service, or --secret, or a --token of its issuer; --issuer and --audience where it checks them.`,
  );
};

const Refusal = z.object({
  auth_success: z.literal(false),
  error_code: z.string(),
  desc: z.string(),
});

const report = (results: readonly CaseResult[], cleanedUp: CleanedUp | undefined): void => {
  print(`\n${summaryTable(results)}\n`);
  for (const reason of skippedReasons(results)) print(reason);
  if (cleanedUp) print(describeCleanUp(cleanedUp));
  print(closingLine(results));
};

const SIGNALS = { SIGINT: 130, SIGTERM: 143 };
type Signal = keyof typeof SIGNALS;
/** One Ctrl-C reaches every process of the terminal, and what started this one forwards its own copy. */
const SAME_WISH_MS = 1_000;

/** At the first one the cases that run end, and what the run has made is taken away; a later one ends it at once. */
const endOnSignals = (ending: AbortController): void => {
  let firstAt: number | undefined;
  const onSignal = (name: NodeJS.Signals) => {
    firstAt ??= performance.now();
    if (performance.now() - firstAt > SAME_WISH_MS) process.exit(SIGNALS[name as Signal]);
    ending.abort(name);
  };
  for (const name of Object.keys(SIGNALS)) process.on(name, onSignal);
};

const main = async (): Promise<number> => {
  if (process.argv.slice(2).includes('--help')) {
    print(USAGE);
    return 0;
  }
  const options = readOptions(process.argv.slice(2), process.env);
  const cases = suite.filter(({ section }) =>
    section.toLowerCase().includes(options.section.toLowerCase()),
  );
  if (cases.length === 0) throw new UsageError(`No section contains "${options.section}"`);
  if (!options.target) {
    for (const { section, title } of cases) print(`${section} › ${title}`);
    return 0;
  }
  await assertReachable(options.target);
  print(`Proving ${options.target.baseUrl} with the credential of ${options.target.credential}.\n`);
  const target = await createTarget(options.target);
  await assertAccepted(target, options.target.credential);
  const { concurrency, jsonFile } = options;
  const ending = new AbortController();
  endOnSignals(ending);
  const { signal } = ending;
  const results = await runCases(cases, target, { concurrency, onResult: showResult, signal });
  if (jsonFile) writeFileSync(jsonFile, `${JSON.stringify(results, null, 2)}\n`);
  report(results, options.keep ? undefined : await cleanUp(target));
  if (signal.aborted) return SIGNALS[signal.reason as Signal];
  return results.some(({ outcome }) => outcome === 'failed') ? 1 : 0;
};

try {
  process.exitCode = await main();
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  process.stderr.write(`${error.message}\n\n${USAGE}\n`);
  process.exitCode = 2;
} finally {
  closeConnections();
}
