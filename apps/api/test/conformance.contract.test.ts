// The conformance suite against two services: one with defaults, and one with public histories, a checked issuer and
// audience, and an allowed origin, so that every case runs.
import { randomUUID } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Case, Target, TargetSettings } from '@muster/conformance';
import { cleanUp, closeConnections, createTarget, suite } from '@muster/conformance';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAdminCaller } from './admin-caller.ts';
import type { ServiceProcess } from './service-process.ts';
import { startServiceProcess } from './service-process.ts';
import { nameOf, testEachCase } from './test-each-case.ts';

const TIMEOUT_MS = 60_000;
const secret = `${randomUUID()}${randomUUID()}`;

/** Cases that passed in one of the runs. */
const proved = new Set<Case>();

const runAgainst = (
  cases: readonly Case[],
  environment: Record<string, string>,
  settings: Omit<TargetSettings, 'baseUrl' | 'secret'>,
  cleaned: readonly (keyof Target['made'])[],
): void => {
  // A service that runs as root starts PostgreSQL as another user, who must be able to enter the folder.
  const folder = mkdtempSync(join(tmpdir(), 'muster-conformance-'));
  chmodSync(folder, 0o755);
  let service: ServiceProcess;
  let target: Target;

  beforeAll(async () => {
    const data = { DATA_DIR: join(folder, 'data'), AUTH_JWT_SECRET: secret, DEMO_DATA: '0' };
    service = await startServiceProcess({ ...data, ...environment });
    target = await createTarget({ ...settings, secret, baseUrl: new URL(service.baseUrl) });
  }, TIMEOUT_MS);

  afterAll(async () => {
    const { problems, removed } = await cleanUp(target);
    expect(problems).toEqual([]);
    for (const kind of cleaned) expect([kind, removed[kind]]).not.toEqual([kind, 0]);
    expect(await findLeft(target)).toEqual([]);
    closeConnections();
    expect(await service.stop()).toBe(0);
    rmSync(folder, { recursive: true, force: true });
  }, TIMEOUT_MS);

  testEachCase(cases, () => target, {
    timeoutMs: TIMEOUT_MS,
    onPassed: (each) => proved.add(each),
  });
};

/** Objects that the lists of the admin app still show. */
const findLeft = async ({ settings, token }: Target): Promise<string[]> => {
  const admin = createAdminCaller(settings.baseUrl.origin, { authorization: `Bearer ${token}` });
  const lists: [string, object][] = [
    ['sandboxes.list', {}],
    ['sessions.list', {}],
    ['sessions.list', { ended: true }],
    ['sessionTypes.list', {}],
    ['players.list', {}],
  ];
  const left = lists.map(async ([procedure, input]) => {
    const { data } = await admin.query<Record<string, unknown>>(procedure, input);
    const rows = Object.values(data).filter(Array.isArray).flat();
    return rows.map((row) => `${procedure}: ${JSON.stringify(row)}`);
  });
  return (await Promise.all(left)).flat();
};

describe('the service with defaults', () => {
  const cleaned = ['sessions', 'players', 'sessionTypes', 'sandboxes'] as const;
  runAgainst(suite, {}, { historyAccess: 'authenticated' }, cleaned);
});

describe('the service with public histories, a checked issuer and audience, and CORS_ORIGINS', () => {
  const issuer = 'https://issuer.example';
  const audience = 'muster';
  const corsOrigin = 'https://play.example';
  const sections = ['Public histories', 'Credentials', 'Permissions', 'Cross-origin requests'];
  runAgainst(
    suite.filter(({ section }) => sections.includes(section)),
    {
      HISTORY_ACCESS: 'public',
      AUTH_ISSUER: issuer,
      AUTH_AUDIENCE: audience,
      CORS_ORIGINS: corsOrigin,
    },
    { historyAccess: 'public', issuer, audience, corsOrigin },
    ['sandboxes'],
  );
});

describe('the suite', () => {
  it('runs every case against at least one service', () => {
    expect(suite.filter((each) => !proved.has(each)).map(nameOf)).toEqual([]);
  });
});
