// How much is fuzzed, and from which seed: the same seed sends the same requests.
const read = (name: string, fallback: number): number => {
  const value = Number(process.env[name] || fallback);
  if (!Number.isSafeInteger(value)) throw new Error(`${name} must be an integer.`);
  return value;
};

/** All cases of a run; the files take shares of it. */
const CASES = read('FUZZ_CASES', 20_000);

/** A fixed seed keeps the tests of a change from failing over what the change did not touch; try others with FUZZ_SEED. */
export const FUZZ_SEED = read('FUZZ_SEED', 20_261_122);

/** Of a failure, for one title (`-t`): sends that case and what it shrinks to. */
export const FUZZ_PATH = process.env.FUZZ_PATH;

export const casesOf = (share: number): number => Math.ceil(CASES * share);
