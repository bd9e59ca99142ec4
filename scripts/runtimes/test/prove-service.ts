// The service on one runtime, from an empty data folder to its last stop.
import { randomUUID } from 'node:crypto';
import type { TargetSettings } from '@muster/conformance';
import { closeConnections, createTarget, runCases, suite } from '@muster/conformance';
import { expect, onTestFinished } from 'vitest';
import type { ServiceProcess } from '../service-process.ts';
import { makeProofFolder, startService } from '../service-process.ts';
import {
  checkData,
  checkPages,
  checkSignIn,
  checkStop,
  leaveData,
  readCredentials,
} from './checks.ts';
import type { Runtime } from './install-runtimes.ts';

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

export const proveService = async (runtime: Runtime): Promise<void> => {
  const folder = makeProofFolder();
  onTestFinished(folder.remove);
  const start = async (settings: Record<string, string> = {}) => {
    const service = await startService(runtime, {
      PATH: process.env.PATH ?? '',
      HOME: process.env.HOME ?? '',
      PORT: '0',
      LOG_LEVEL: 'warn',
      DEMO_DATA: '0',
      DATA_DIR: folder.dataDir,
      AUTH_JWT_SECRET: SECRET,
      ...settings,
    });
    onTestFinished(() => service.signalAll('SIGKILL'));
    return service;
  };
  const unproven = new Set(suite.map(nameOf));

  const first = await start();
  const target = await targetOf(first, { historyAccess: 'authenticated' });
  const owner = readCredentials(first, 'file');
  await checkPages(first);
  await checkSignIn(first, owner);
  const sandboxId = await leaveData(first, target.token);
  await runConformance(unproven, target, suite);
  await checkStop(first, folder, target.token);

  const second = await start(OTHER_SETTINGS);
  const given = { ...ISSUER, historyAccess: 'public', corsOrigin: CORS_ORIGIN } as const;
  const other = await targetOf(second, given);
  await checkData(second, other.token, sandboxId);
  const others = suite.filter(({ section }) => OF_OTHER_SETTINGS.includes(section));
  await runConformance(unproven, other, others);
  expect([...unproven], 'cases of the conformance suite that never passed').toEqual([]);
  const postgres = folder.findPostgres();
  second.signal('SIGKILL');
  await second.ended;

  const third = await start();
  expect(postgres).not.toBeNull();
  expect(folder.findPostgres(), 'the PostgreSQL that was left behind').toBe(postgres);
  await checkData(third, target.token, sandboxId);
  await checkSignIn(third, owner);
  await checkStop(third, folder, target.token);
};

const targetOf = (
  { baseUrl }: ServiceProcess,
  settings: Omit<TargetSettings, 'baseUrl' | 'secret'>,
) => createTarget({ ...settings, baseUrl: new URL(baseUrl), secret: SECRET });

const nameOf = ({ section, title }: { section: string; title: string }) => `${section}: ${title}`;

/** Runs cases on the Node.js of the repository. A case that is skipped under the first settings may pass under the others. */
const runConformance = async (
  unproven: Set<string>,
  target: Awaited<ReturnType<typeof createTarget>>,
  cases: typeof suite,
): Promise<void> => {
  const results = await runCases(cases, target);
  closeConnections();
  for (const result of results) if (result.outcome === 'passed') unproven.delete(nameOf(result));
  const failed = results.filter(({ outcome }) => outcome === 'failed');
  expect(failed.map((result) => `${nameOf(result)}\n${result.detail?.slice(0, 2_000)}`)).toEqual(
    [],
  );
};
