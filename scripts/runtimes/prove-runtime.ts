// One runtime, from an empty data folder to its last stop.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Target, TargetSettings } from '@muster/conformance';
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
import { launchOf, makeProofFolder, startService } from './service-process.ts';

export type Proof = {
  runtime: Runtime;
  readyMs?: number;
  /** Ready again, on the data of before. */
  againMs?: number;
  idleMiB?: number | null;
  /** After the conformance suite. */
  usedMiB?: number | null;
  conformance: Tally;
  stopMs?: number;
  /** What is not as it has to be, one sentence each. */
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

/** Never rejects: what fails is part of the proof. */
export const proveRuntime = async (runtime: Runtime): Promise<Proof> => {
  const conformance = { passed: new Set<string>(), failed: [], total: suite.length };
  const proof: Proof = { runtime, conformance, problems: [] };
  const folder = makeProofFolder();
  try {
    await prove(proof, folder);
  } catch (error) {
    proof.problems.push((error as Error).message);
  }
  folder.remove();
  proof.problems.push(...listUnproven(proof.conformance));
  return proof;
};

const prove = async (proof: Proof, folder: ProofFolder): Promise<void> => {
  const start = (settings: Record<string, string> = {}) =>
    startService(launchOf(proof.runtime), { ...environmentOf(folder), ...settings });

  const first = await start();
  Object.assign(proof, { readyMs: first.readyMs, idleMiB: first.memoryMiB() });
  const target = await targetOf(first, { historyAccess: 'authenticated' });
  const owner = readCredentials(first, 'file');
  await note(proof, 'web app and docs', () => checkPages(first));
  await note(proof, 'sign-in', () => checkSignIn(first, owner));
  const sandboxId = await leaveData(first, target.token);
  await runConformance(proof.conformance, target, 'all');
  proof.usedMiB = first.memoryMiB();
  await note(proof, 'SIGTERM', async () => {
    proof.stopMs = await checkStop(first, folder, target.token);
  });

  const second = await start(OTHER_SETTINGS);
  proof.againMs = second.readyMs;
  const given = { ...ISSUER, historyAccess: 'public', corsOrigin: CORS_ORIGIN } as const;
  const other = await targetOf(second, given);
  await note(proof, 'restart', () => checkData(second, other.token, sandboxId));
  await runConformance(proof.conformance, other, 'other settings');
  const postgres = folder.findPostgres();
  second.signal('SIGKILL');
  await second.ended;

  const third = await start();
  await note(proof, 'adoption after SIGKILL', async () => {
    assert.notEqual(postgres, null);
    assert.equal(folder.findPostgres(), postgres, 'PostgreSQL is not the one that was left behind');
    await checkData(third, target.token, sandboxId);
    await checkSignIn(third, owner);
  });
  await note(proof, 'SIGTERM after adoption', async () => {
    await checkStop(third, folder, target.token);
  });
};

/** A check that fails does not keep the others from running. */
const note = async (proof: Proof, what: string, check: () => Promise<void>): Promise<void> => {
  try {
    await check();
  } catch (error) {
    const problem = `${what}: ${(error as Error).message}`;
    report(problem);
    proof.problems.push(problem);
  }
};

const environmentOf = (folder: ProofFolder): Record<string, string> => ({
  PATH: process.env.PATH ?? '',
  HOME: process.env.HOME ?? '',
  PORT: '0',
  LOG_LEVEL: 'warn',
  DEMO_DATA: '0',
  DATA_DIR: folder.dataDir,
  AUTH_JWT_SECRET: SECRET,
});

const targetOf = (
  { baseUrl }: ServiceProcess,
  settings: Omit<TargetSettings, 'baseUrl' | 'secret'>,
): Promise<Target> => createTarget({ ...settings, baseUrl: new URL(baseUrl), secret: SECRET });

// The conformance suite against a running service; the suite itself runs on the Node.js of the repository.

type Tally = { passed: Set<string>; failed: string[]; total: number };

/** Cases that need a service with public histories, a checked issuer and audience, and CORS_ORIGINS. */
const OF_OTHER_SETTINGS = [
  'Public histories',
  'Credentials',
  'Permissions',
  'Cross-origin requests',
];

const nameOf = ({ section, title }: { section: string; title: string }) => `${section}: ${title}`;

/** A case that was skipped under one service counts when it passes under the other. */
const runConformance = async (
  tally: Tally,
  target: Target,
  scope: 'all' | 'other settings',
): Promise<void> => {
  const cases = suite.filter(
    ({ section }) => scope === 'all' || OF_OTHER_SETTINGS.includes(section),
  );
  const results = await runCases(cases, target);
  closeConnections();
  for (const result of results) {
    if (result.outcome === 'passed') tally.passed.add(nameOf(result));
    if (result.outcome !== 'failed') continue;
    tally.failed.push(nameOf(result));
    report(`FAIL ${nameOf(result)}\n${result.detail?.slice(0, 2_000)}`);
  }
};

/** Sentences about what is not proven; none when everything is. */
const listUnproven = ({ passed, failed }: Tally): string[] => [
  ...failed.map((name) => `conformance failed: ${name}`),
  ...suite
    .map(nameOf)
    .filter((name) => !passed.has(name) && !failed.includes(name))
    .map((name) => `conformance never ran: ${name}`),
];
