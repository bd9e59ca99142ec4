// One runtime, from an empty data folder to its last stop.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { TargetSettings } from '@muster/conformance';
import { closeConnections, createTarget, runCases, suite } from '@muster/conformance';
import { report } from '../setup/repository.mjs';
import {
  checkData,
  checkPages,
  checkSignIn,
  checkStop,
  leaveData,
  readCredentials,
} from './checks.ts';
import type { Runtime } from './install-runtimes.ts';
import type { ProofFolder, ServiceProcess } from './service-process.ts';
import { makeProofFolder, startService } from './service-process.ts';

type Proof = {
  readyMs?: number;
  /** Ready again, on the same data. */
  againMs?: number;
  stopMs?: number;
  /** How many cases of the conformance suite passed. */
  passed?: number;
  /** One sentence for each check that failed. */
  problems: string[];
};

const SECRET = `${randomUUID()}${randomUUID()}`;
const ISSUER = { issuer: 'https://issuer.example', audience: 'muster' };
const CORS_ORIGIN = 'https://play.example';
const OTHER_SETTINGS = {
  HISTORY_ACCESS: 'public',
  AUTH_ISSUER: ISSUER.issuer,
  AUTH_AUDIENCE: ISSUER.audience,
  CORS_ORIGINS: CORS_ORIGIN,
};
/** Sections of the suite with cases that need the other settings. */
const OF_OTHER_SETTINGS = [
  'Public histories',
  'Credentials',
  'Permissions',
  'Cross-origin requests',
];

/** Never rejects: a failure is part of the proof. */
export const proveRuntime = async (runtime: Runtime): Promise<Proof> => {
  const proof: Proof = { problems: [] };
  const folder = makeProofFolder();
  await note(proof, 'the proof', () => prove(runtime, proof, folder));
  folder.remove();
  return proof;
};

const prove = async (runtime: Runtime, proof: Proof, folder: ProofFolder): Promise<void> => {
  const check = (what: string, run: () => Promise<void>) => note(proof, what, run);
  const start = (settings: Record<string, string> = {}) =>
    startService(runtime, {
      PATH: process.env.PATH ?? '',
      HOME: process.env.HOME ?? '',
      PORT: '0',
      LOG_LEVEL: 'warn',
      DEMO_DATA: '0',
      DATA_DIR: folder.dataDir,
      AUTH_JWT_SECRET: SECRET,
      ...settings,
    });
  const unproven = new Set(suite.map(nameOf));

  const first = await start();
  proof.readyMs = Math.round(first.readyMs);
  const target = await targetOf(first, { historyAccess: 'authenticated' });
  const owner = readCredentials(first, 'file');
  await check('web app and docs', () => checkPages(first));
  await check('sign-in', () => checkSignIn(first, owner));
  const sandboxId = await leaveData(first, target.token);
  await runConformance(proof, unproven, target, suite);
  await check('SIGTERM', async () => {
    proof.stopMs = Math.round(await checkStop(first, folder, target.token));
  });

  const second = await start(OTHER_SETTINGS);
  proof.againMs = Math.round(second.readyMs);
  const given = { ...ISSUER, historyAccess: 'public', corsOrigin: CORS_ORIGIN } as const;
  const other = await targetOf(second, given);
  await check('restart', () => checkData(second, other.token, sandboxId));
  const others = suite.filter(({ section }) => OF_OTHER_SETTINGS.includes(section));
  await runConformance(proof, unproven, other, others);
  proof.problems.push(...[...unproven].map((name) => `conformance never passed: ${name}`));
  proof.passed = suite.length - unproven.size;
  const postgres = folder.findPostgres();
  second.signal('SIGKILL');
  await second.ended;

  const third = await start();
  await check('adoption after SIGKILL', async () => {
    assert.notEqual(postgres, null);
    assert.equal(folder.findPostgres(), postgres, 'PostgreSQL is not the one that was left behind');
    await checkData(third, target.token, sandboxId);
    await checkSignIn(third, owner);
  });
  await check('SIGTERM after adoption', async () => {
    await checkStop(third, folder, target.token);
  });
};

/** A check that fails does not keep the others from running. */
const note = async (proof: Proof, what: string, run: () => Promise<void>): Promise<void> => {
  try {
    await run();
  } catch (error) {
    const problem = `${what}: ${(error as Error).message}`;
    report(problem);
    proof.problems.push(problem);
  }
};

const targetOf = (
  { baseUrl }: ServiceProcess,
  settings: Omit<TargetSettings, 'baseUrl' | 'secret'>,
) => createTarget({ ...settings, baseUrl: new URL(baseUrl), secret: SECRET });

const nameOf = ({ section, title }: { section: string; title: string }) => `${section}: ${title}`;

/** Runs cases on the Node.js of the repository. A case that is skipped under the first settings may pass under the others. */
const runConformance = async (
  proof: Proof,
  unproven: Set<string>,
  target: Awaited<ReturnType<typeof createTarget>>,
  cases: typeof suite,
): Promise<void> => {
  for (const result of await runCases(cases, target)) {
    const name = nameOf(result);
    if (result.outcome === 'passed') unproven.delete(name);
    if (result.outcome !== 'failed') continue;
    proof.problems.push(`conformance failed: ${name}`);
    report(`FAIL ${name}\n${result.detail?.slice(0, 2_000)}`);
  }
  closeConnections();
};
