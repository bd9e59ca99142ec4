// Folders that live no longer than the process, whichever way it ends.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Problem, sentenceOf } from './problem.ts';

export type TemporaryFolder = { path: string; remove: () => void };

/** Throws Problem when there is no room for it. */
export const temporaryFolder = (prefix: string): TemporaryFolder => {
  const path = make(prefix);
  const clean = () => rmSync(path, { recursive: true, force: true, maxRetries: 3 });
  process.once('exit', clean);
  return {
    path,
    remove: () => {
      process.off('exit', clean);
      clean();
    },
  };
};

const make = (prefix: string): string => {
  try {
    return mkdtempSync(join(tmpdir(), prefix));
  } catch (error) {
    throw new Problem(`No temporary folder can be made in ${tmpdir()}: ${sentenceOf(error)}.`);
  }
};
