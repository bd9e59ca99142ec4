// Sends what an arbitrary makes, checks each answer, and shrinks what fails.
import { hash } from 'node:crypto';
import fc from 'fast-check';
import type { Check } from './check-answer.ts';
import { checkAlways, checkWrites } from './check-answer.ts';
import { FUZZ_PATH, FUZZ_SEED } from './fuzz-settings.ts';
import type { FuzzWorld } from './fuzz-world.ts';
import type { WireRequest } from './wire-request.ts';
import { sendWire } from './wire-request.ts';

export type FuzzRun = {
  /** Part of the title of the test. */
  title: string;
  requests: fc.Arbitrary<WireRequest>;
  check: Check;
  cases: number;
};

/** Shrinking ends here, with the smallest request found until then. */
const MAX_RUN_MS = 240_000;

/** How many requests were sent with a status: a target that never answers 200 is not fuzzed in depth. */
export type Tally = Map<number, number>;

/** Throws with the seed, the path and the smallest request. */
export const runFuzz = async (world: FuzzWorld, run: FuzzRun): Promise<Tally> => {
  const tally: Tally = new Map();
  // What went before is no matter of this run.
  await world.watch.look();
  const property = fc.asyncProperty(run.requests, async (request) => {
    const { status, problems } = await tryRequest(world, run.check, request);
    tally.set(status, (tally.get(status) ?? 0) + 1);
    if (problems.length > 0) throw new Error(problems.join(' '));
  });
  const details = await fc.check(property, {
    ...{ seed: seedOf(run.title), numRuns: run.cases, interruptAfterTimeLimit: MAX_RUN_MS },
    ...{ markInterruptAsFailure: true, ...(FUZZ_PATH && { path: FUZZ_PATH }) },
  });
  if (details.failed) throw new Error(describeFailure(run.title, details));
  if (process.env.FUZZ_TALLY) process.stderr.write(`${run.title} ${JSON.stringify([...tally])}\n`);
  return tally;
};

/** Every target gets cases of its own from the one seed. */
const seedOf = (title: string): number =>
  hash('sha256', `${FUZZ_SEED} ${title}`, 'buffer').readInt32BE();

const describeFailure = (title: string, details: fc.RunDetails<[WireRequest]>): string =>
  [
    `FUZZ_SEED=${FUZZ_SEED} FUZZ_PATH='${details.counterexamplePath}' npx vitest run test/fuzz -t '${title}'`,
    JSON.stringify(details.counterexample?.[0], null, 2),
    details.errorInstance instanceof Error ? details.errorInstance.message : 'It took too long.',
  ].join('\n');

export const tryRequest = async (
  { service, watch }: FuzzWorld,
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

/** The service runs in this process, so that what it does to the prototypes shows here. */
const PROTOTYPES = [Object.prototype, Array.prototype, String.prototype, Function.prototype];
const keysOf = (): string => PROTOTYPES.map((one) => Reflect.ownKeys(one).length).join();
const UNTOUCHED = keysOf();
const checkPrototypes = (): string[] =>
  keysOf() === UNTOUCHED ? [] : ['A prototype was polluted.'];
