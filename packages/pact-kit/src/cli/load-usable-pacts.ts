// Pacts for commands that need each of them to be readable.
import type { PactFile } from '../pact-file.ts';
import { loadPacts, selectOwnPacts } from '../pact-files/index.ts';
import { Problem } from '../problem.ts';
import { describePlace, isError } from '../report/index.ts';

/** Those about this service. Throws Problem with a sentence for each thing that is wrong, with file and line. */
export const loadUsablePacts = async (
  targets: readonly string[],
  signal?: AbortSignal,
): Promise<PactFile[]> => {
  const { pacts, findings } = selectOwnPacts(await loadPacts(targets, { signal }));
  const errors = findings.filter(isError);
  if (errors.length === 0) return pacts;
  throw new Problem(errors.map((one) => `${describePlace(one)}: ${one.message}`).join('\n'));
};
