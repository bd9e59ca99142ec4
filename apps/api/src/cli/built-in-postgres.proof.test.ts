import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startProgram } from '../../test/service-process.ts';

let DATA_DIR: string;
beforeAll(async () => {
  DATA_DIR = await mkdtemp(join(tmpdir(), 'muster-built-in-'));
  // Root runs PostgreSQL as another user, who must be able to enter the folder.
  await chmod(DATA_DIR, 0o711);
});
afterAll(() => rm(DATA_DIR, { recursive: true }));

const AUTH_JWT_SECRET = randomBytes(36).toString('hex');
const RELEASE = /built-in PostgreSQL \d+\.\d+, released in \w+ \d{4} \(.+\)\./;
const WARNING = 'The built-in PostgreSQL is for evaluation and small studios';

const PLACES: [string, Record<string, string>, boolean][] = [
  ['which only this machine can reach', {}, false],
  ['that listens for other machines', { HOST: '0.0.0.0', AUTH_JWT_SECRET }, true],
  ['with a public origin', { PUBLIC_URL: 'https://muster.example', TRUST_PROXY: '1' }, true],
];

describe('the release of the built-in PostgreSQL, with a warning for public addresses', () => {
  it.each(PLACES)('is in the findings of doctor for a service %s', async (_, env, isPublic) => {
    const doctor = await startProgram('doctor', { DATA_DIR, ...env });
    await doctor.ended;
    expect(doctor.stdout()).toMatch(RELEASE);
    expect(doctor.stdout().includes(`warn  database  ${WARNING}`)).toBe(isPublic);
  });

  it('is in the output of the start', async () => {
    const settings = { HOST: '0.0.0.0', AUTH_JWT_SECRET, DEMO_DATA: '0' };
    const service = await startProgram('service', { DATA_DIR, ...settings });
    await service.baseUrl();
    service.signal('SIGTERM');
    await service.ended;
    expect(service.stderr()).toMatch(RELEASE);
    expect(service.stderr()).toContain(WARNING);
  });
});
