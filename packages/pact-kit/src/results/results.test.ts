import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { readPact } from '../pact-files/read-pact.ts';
import type { VerificationReport } from '../report/verification-report.ts';
import { checkCounts } from '../static-check/check-pacts.ts';
import { decideByResults, readResultFiles, writeResultFiles } from './result-files.ts';

const makeFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'muster-results-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
};

const makePact = (source: string, description: string) => {
  const interactions = [{ description, request: {}, response: { status: 200 } }];
  const content = { consumer: { name: 'a' }, provider: { name: 'muster' }, interactions };
  const { pact } = readPact(JSON.stringify(content), source);
  if (!pact) throw new Error('The pact of the test cannot be read.');
  return pact;
};

const PACTS = [makePact('a.json', 'one'), makePact('b.json', 'two')];

const REPORT = {
  provider: 'muster 0.1.0',
  pacts: PACTS.map(({ source }) => ({
    source,
    pending: false,
    findings: [],
    interactions: [{ status: 'passed' }],
  })),
} as unknown as VerificationReport;

it('two pacts of one consumer have a result each', async () => {
  const folder = makeFolder();
  await writeResultFiles(folder, PACTS, REPORT);
  const decision = decideByResults(PACTS, await readResultFiles(folder), undefined);
  expect(decision.deployable).toBe(true);
});

it('a failure counts where results of one content contradict each other', async () => {
  const folder = makeFolder();
  const [pact] = PACTS;
  await writeResultFiles(folder, PACTS.slice(0, 1), REPORT);
  const [green] = await readResultFiles(folder);
  if (!pact || !green) throw new Error('There is no result.');
  const { deployable } = decideByResults([pact], [green, { ...green, success: false }], undefined);
  expect(deployable).toBe(false);
});

it('a result whose success is no boolean is refused, and is no yes', async () => {
  const folder = makeFolder();
  await writeResultFiles(folder, PACTS.slice(0, 1), REPORT);
  const file = join(folder, 'a-muster.result.json');
  writeFileSync(file, readFileSync(file, 'utf8').replace('"success": true', '"success": "false"'));
  await expect(readResultFiles(folder)).rejects.toThrow('is not a result file');
});

it.each(['"many"', 'null', '-1', '1.5'])('a last run that counted %s is an error', (count) => {
  const file = join(makeFolder(), 'last-run.json');
  writeFileSync(file, `{"interactions": {"a → muster": ${count}}}`);
  expect(checkCounts(PACTS, file).map(({ rule }) => rule)).toEqual(['broken-last-run']);
});
