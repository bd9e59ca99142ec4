// Sends the requests of an arbitrary, checks each response, and shrinks failures. The same seed sends the same
// requests.
import { hash } from 'node:crypto';
import { IS_FULL_SIZE } from '@muster/database/testing';
import fc from 'fast-check';
import type { Check } from './check-answer.ts';
import { checkAlways, checkWrites } from './check-answer.ts';
import type { FuzzFixture } from './fuzz-fixture.ts';
import type { WireRequest } from './wire-request.ts';
import { sendWire } from './wire-request.ts';

const read = (name: string, fallback: number): number => {
  const value = Number(process.env[name] || fallback);
  if (!Number.isSafeInteger(value)) throw new Error(`${name} must be an integer.`);
  return value;
};

/** All cases of a run; each file uses a fraction. */
const CASES = read('FUZZ_CASES', IS_FULL_SIZE ? 20_000 : 500);

/** A fixed seed, so that a change only fails for faults that it caused; try others with FUZZ_SEED. */
const FUZZ_SEED = read('FUZZ_SEED', 20_261_122);

/** The path of a failure, for one title (`-t`): sends that case and its shrunk forms. */
const FUZZ_PATH = process.env.FUZZ_PATH;

export const casesOf = (share: number): number => Math.ceil(CASES * share);

type FuzzRun = {
  /** Part of the title of the test. */
  title: string;
  requests: fc.Arbitrary<WireRequest>;
  check: Check;
  cases: number;
  /** Another value sends other cases. */
  round?: number;
};

/** Shrinking stops after this time, with the smallest request found until then. */
const MAX_RUN_MS = 240_000;

/** The number of requests per status: a target that never returns 200 is not fuzzed in depth. */
type Tally = Map<number, number>;

/** Throws with the seed, the path and the smallest request. */
export const runFuzz = async (fixture: FuzzFixture, run: FuzzRun): Promise<Tally> => {
  const tally: Tally = new Map();
  // Ignores everything before this run.
  await fixture.watch.look();
  const property = fc.asyncProperty(run.requests, async (request) => {
    const { status, problems } = await tryRequest(fixture, run.check, request);
    tally.set(status, (tally.get(status) ?? 0) + 1);
    if (problems.length > 0) throw new Error(problems.join(' '));
  });
  const details = await fc.check(property, {
    seed: seedOf(run.title, run.round),
    numRuns: run.cases,
    interruptAfterTimeLimit: MAX_RUN_MS,
    markInterruptAsFailure: true,
    ...(FUZZ_PATH && { path: FUZZ_PATH }),
  });
  if (details.failed) throw new Error(describeFailure(run, details));
  if (process.env.FUZZ_TALLY) process.stderr.write(`${run.title} ${JSON.stringify([...tally])}\n`);
  return tally;
};

/** Every target gets its own cases from the one seed. */
const seedOf = (title: string, round = 0): number =>
  hash('sha256', `${FUZZ_SEED + round} ${title}`, 'buffer').readInt32BE();

const describeFailure = (
  { title, round = 0 }: FuzzRun,
  details: fc.RunDetails<[WireRequest]>,
): string =>
  [
    `FUZZ_SEED=${FUZZ_SEED + round} FUZZ_PATH='${details.counterexamplePath}' npx vitest run test/fuzz -t '${title}'`,
    JSON.stringify(details.counterexample?.[0], null, 2),
    details.errorInstance instanceof Error ? details.errorInstance.message : 'It took too long.',
  ].join('\n');

export const tryRequest = async (
  { service, watch }: FuzzFixture,
  check: Check,
  request: WireRequest,
): Promise<{ status: number; problems: string[] }> => {
  const answer = await sendWire(service.baseUrl, request);
  const problems = [
    ...checkAlways(request, answer),
    ...check(request, answer),
    ...checkWrites(answer, await watch.look()),
    ...checkPrototypes(),
  ];
  const shown = problems.length > 0 ? [`${answer.status} ${answer.text.slice(0, 500)}`] : [];
  return { status: answer.status, problems: [...problems, ...shown] };
};

/** The service runs in this process, so that a polluted prototype is visible here. */
const PROTOTYPES = [Object.prototype, Array.prototype, String.prototype, Function.prototype];
const keysOf = (): string => PROTOTYPES.map((one) => Reflect.ownKeys(one).length).join();
const UNTOUCHED = keysOf();
const checkPrototypes = (): string[] =>
  keysOf() === UNTOUCHED ? [] : ['A prototype was polluted.'];
