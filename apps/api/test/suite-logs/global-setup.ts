// Vitest global set-up: collects the logs of all services that the suite starts, and fails the run when one contains a
// secret.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findSecrets, LOGS_FOLDER } from './suite-logs.ts';

/** Returns the teardown, which vitest calls when all tests are over. */
export const setup = (): (() => void) => {
  const folder = mkdtempSync(join(tmpdir(), 'muster-suite-logs-'));
  process.env[LOGS_FOLDER] = folder;
  return () => {
    let exposed: string[];
    try {
      exposed = searchLogs(folder);
    } finally {
      rmSync(folder, { recursive: true });
    }
    if (exposed.length === 0) return;
    // Not thrown: vitest would skip the teardown of other set-ups, such as the stop of the run's database.
    process.exitCode = 1;
    const shown = exposed.slice(0, 20).join('\n');
    process.stderr.write(
      `${exposed.length} lines of the logs of this run contain a secret:\n${shown}\n`,
    );
  };
};

const searchLogs = (folder: string): string[] => {
  const files = readdirSync(folder).map((name) => ({
    isLog: name.endsWith('.log'),
    text: readFileSync(join(folder, name), 'utf8'),
  }));
  const secrets = files
    .filter(({ isLog }) => !isLog)
    .flatMap(({ text }) => text.trim().split('\n'))
    .map((line): string => JSON.parse(line));
  return files
    .filter(({ isLog }) => isLog)
    .flatMap(({ text }) => findSecrets(text, [...new Set(secrets)]));
};
