import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { TestDatabase } from '@muster/database/testing';
import { createTestDatabase, findFreePort, IS_FULL_SIZE } from '@muster/database/testing';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startProgram, startServiceProcess } from '../../test/service-process.ts';

/** Starts of the service in addition to those of doctor. */
const inFull = it.runIf(IS_FULL_SIZE);

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

it('reports a database whose encoding prevents migrations', async () => {
  const name = `latin_${randomBytes(6).toString('hex')}`;
  const url = new URL(database.url);
  const admin = new pg.Client({ connectionString: url.href });
  await admin.connect();
  await admin.query(`CREATE DATABASE ${name} ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0`);
  url.pathname = `/${name}`;
  const { code, output } = await examine({ ...(await makeSettings()), DATABASE_URL: url.href });
  await admin.query(`DROP DATABASE ${name}`);
  await admin.end();
  expect(code).toBe(1);
  expect(output).toMatch(/^fail +tables +The encoding of the database is LATIN1: .*'UTF8'/m);
});

/** Two free ports, and the other settings of a service. */
const makeSettings = async () => ({
  DATABASE_URL: database.url,
  AUTH_JWT_SECRET: randomBytes(36).toString('hex'),
  HOST: '0.0.0.0',
  PORT: String(await findFreePort()),
  METRICS_PORT: String(await findFreePort()),
});

const examine = async (env: Record<string, string>) => {
  const doctor = await startProgram('doctor', env);
  const code = await doctor.ended;
  const ports = doctor
    .stdout()
    .split('\n')
    .filter((line) => /^\w+ +ports /.test(line));
  return { code, ports, output: doctor.stdout() + doctor.stderr() };
};

describe('doctor checks the ports', () => {
  it('and reports free ports before the start', async () => {
    const { code, ports, output } = await examine(await makeSettings());
    expect(code, output).toBe(0);
    expect(ports).toEqual([expect.stringMatching(/^ok .*is free/), expect.stringMatching(/free/)]);
  });

  inFull('and reports no problem when the running service uses them', async () => {
    const settings = await makeSettings();
    const service = await startServiceProcess(settings);
    const { code, ports, output } = await examine(settings);
    await service.stop();
    expect(code, output).toBe(0);
    expect(ports).toEqual([
      `ok    ports     0.0.0.0:${settings.PORT} is taken by Muster, which is running.`,
      `ok    ports     0.0.0.0:${settings.METRICS_PORT} is taken by Muster, which is running.`,
    ]);
  });

  it('and reports the one that another program uses, for any response of that program', async () => {
    const settings = await makeSettings();
    const other = createServer((_, response) => response.end('{"status":"ok"}'));
    await once(other.listen(Number(settings.PORT), '0.0.0.0'), 'listening');
    const { code, ports } = await examine(settings);
    other.close();
    expect(code).toBe(1);
    expect(ports[0]).toMatch(/^fail .*in use by another program.*another PORT\.$/);
  });

  inFull('and, like the start, reports the setting of the metrics port', async () => {
    const settings = await makeSettings();
    const other = createServer((_, response) => response.end());
    await once(other.listen(Number(settings.METRICS_PORT), '0.0.0.0'), 'listening');
    const { ports } = await examine(settings);
    const service = await startProgram('service', { ...settings, LOG_LEVEL: 'silent' });
    const code = await service.ended;
    other.close();
    const sentence = `Port ${settings.METRICS_PORT} of 0.0.0.0 is in use by another program: stop it, or choose another METRICS_PORT.`;
    expect(ports[1]).toBe(`fail  ports     ${sentence}`);
    expect([code, service.stderr().trim().split('\n').at(-1)]).toEqual([1, sentence]);
  });
});
