// `muster doctor --json`: the same checks and exit codes, for programs.
import { randomBytes } from 'node:crypto';
import type { TestDatabase } from '@muster/database/testing';
import { createTestDatabase } from '@muster/database/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startProgram } from '../../test/service-process.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const run = async (env: Record<string, string>, args: string[]) => {
  const secret = randomBytes(36).toString('hex');
  const settings = { DATABASE_URL: database.url, AUTH_JWT_SECRET: secret, ...env };
  const doctor = await startProgram('doctor', settings, args);
  return { code: await doctor.ended, output: doctor.stdout(), errors: doctor.stderr() };
};

const WORDS = { ok: 'ok', warning: 'warn', error: 'fail' } as const;
type Report = {
  status: string;
  checks: { name: string; status: keyof typeof WORDS; message: string }[];
};

const compare = async (env: Record<string, string>) => {
  const [text, json] = [await run(env, []), await run(env, ['--json'])];
  const report: Report = JSON.parse(json.output);
  // Each run has another data folder, and the disk may have less free space.
  const withoutDisk = (lines: string) => lines.replaceAll(/[\d.]+ GB free at \S+/g, '');
  const lines = report.checks.map(
    ({ name, status, message }) => `${WORDS[status]} ${name} ${message}\n`,
  );
  expect(withoutDisk(lines.join(''))).toBe(withoutDisk(text.output.replaceAll(/ {2,}/g, ' ')));
  expect([json.code, json.errors]).toEqual([text.code, '']);
  return { code: json.code, status: report.status, checks: report.checks };
};

it('prints the checks of a good setup, and the status ok', async () => {
  const { code, status, checks } = await compare({});
  expect([code, status]).toEqual([0, 'ok']);
  expect(checks).toContainEqual({ name: 'tables', status: 'ok', message: 'up to date.' });
});

it('prints a warning, and exits with 0', async () => {
  const { code, status } = await compare({ MAX_CONNECTIONZ: '100' });
  expect([code, status]).toEqual([0, 'warning']);
});

it('prints an error beside a warning, and exits with 1', async () => {
  const { code, status, checks } = await compare({
    MAX_CONNECTIONZ: '100',
    MAX_CONNECTIONS: 'many',
  });
  expect([code, status]).toEqual([1, 'error']);
  expect(checks.map((check) => check.status)).toEqual(['ok', 'warning', 'error']);
});

it('refuses other options', async () => {
  expect(await run({}, ['--yaml'])).toMatchObject({ code: 2, output: '' });
});
