// muster-pact diff: what a new contract breaks.
import { Problem } from '../problem.ts';
import type { Terminal } from './terminal.ts';

export const runDiff = async (_args: readonly string[], _terminal: Terminal): Promise<number> => {
  throw new Problem('diff is not there yet.');
};
