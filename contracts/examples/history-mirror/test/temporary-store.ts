// A store in a folder of its own, which goes when the test is over.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Transaction } from '../src/history-store.ts';
import { HistoryStore } from '../src/history-store.ts';

export const makeStore = (kind: 'item' | 'xp') => {
  const folder = mkdtempSync(join(tmpdir(), 'history-mirror-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return { store: new HistoryStore(folder, kind), folder, file: join(folder, `${kind}.jsonl`) };
};

/** The ids of the versions in a mirror, in the order of the file. */
export const readVersions = (file: string): string[] => {
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => (JSON.parse(line) as Transaction).version_id);
};
