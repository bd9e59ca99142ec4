// The service with a database role that owns no table, as in the deployment guide.
import { randomBytes, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestDatabase } from '@muster/database/testing';
import { createTestDatabase } from '@muster/database/testing';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAdminCaller } from './admin-caller.ts';
import { postAuth } from './auth-calls.ts';
import { authorise, createTestBed, SECRET } from './faults/test-bed.ts';
import { joinOnce } from './scaling/placed-load.ts';
import { startProgram, startServiceProcess } from './service-process.ts';

const GUIDE = join(import.meta.dirname, '../../../docs/guides/deploy.md');
const role = `service_${randomBytes(6).toString('hex')}`;

let database: TestDatabase;
let owner: pg.Client;
let url: string;
beforeAll(async () => {
  database = await createTestDatabase();
  owner = new pg.Client({ connectionString: database.url });
  await owner.connect();
  const password = randomBytes(12).toString('hex');
  const recipe = /```sql\n(CREATE ROLE[^`]+)```/.exec(await readFile(GUIDE, 'utf8'))?.[1] ?? '';
  await owner.query(recipe.replaceAll('muster_service', role).replace('…', password));
  url = Object.assign(new URL(database.url), { username: role, password }).href;
});
afterAll(async () => {
  await owner.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
  await owner.end();
  await database.drop();
});

const examine = async () => {
  const doctor = await startProgram('doctor', {
    DATABASE_URL: url,
    AUTH_JWT_SECRET: SECRET,
    PORT: '0',
  });
  const code = await doctor.ended;
  return {
    code,
    rights: doctor
      .stdout()
      .split('\n')
      .filter((line) => / rights /.test(line)),
  };
};

test('joins, histories, accounts and sign-ins work for it', async () => {
  const service = await startServiceProcess({ DATABASE_URL: url, AUTH_JWT_SECRET: SECRET });
  const player = randomUUID();
  const { sessions } = await createTestBed(service.baseUrl, 2);
  for (const session of sessions) {
    expect((await joinOnce(service.baseUrl, session, player)).status).toBe(200);
  }
  const authorization = await authorise('editor', '*');
  const admin = createAdminCaller(service.baseUrl, { authorization });
  const sandbox = await admin.mutate<{ sandbox_id: string }>('sandboxes.create', { name: 'Live' });
  const { sandbox_id } = sandbox.data;
  const changes = [
    admin.mutate('items.create', { sandbox_id, name: 'Iron', item_type: 'unit' }),
    admin.mutate('sessionTypes.upsert', { type: 'duel' }),
    admin.mutate('sessions.end', { type: 'testBed', session_id: sessions[0] }),
    admin.mutate('players.register', { player_uuid: randomUUID(), player_id: 7 }),
    admin.mutate('keys.createAccount', { name: 'Backend' }),
  ];
  const answers = await Promise.all(changes);
  expect(answers.map(({ status, code }) => [status, code])).toEqual(
    changes.map(() => [200, undefined]),
  );
  const history = await fetch(`${service.baseUrl}/v1/history/sandbox/${sandbox_id}/item/`, {
    headers: { authorization },
  });
  expect(await history.json()).toMatchObject({ page_meta: { total: 1 } });
  const wrong = await postAuth(service.baseUrl, '/sign-in/email', {
    email: 'owner@muster.local',
    password: randomUUID(),
  });
  expect(wrong.status).toBe(403);
  expect(await service.stop()).toBe(0);
});

test('doctor reports no problem, and lists the tables that it may not use', async () => {
  expect(await examine()).toEqual({ code: 0, rights: [] });
  await owner.query(`REVOKE DELETE ON session_seat, player FROM ${role}`);
  expect(await examine()).toEqual({
    code: 1,
    rights: [expect.stringMatching(/^fail .*may not read and write player, session_seat: GRANT/)],
  });
});

test('a command reports a refusal of the database or the disk in one line', async () => {
  const wrong = Object.assign(new URL(url), { password: randomBytes(12).toString('hex') }).href;
  const refused = async (databaseUrl: string, to: string) => {
    const backup = await startProgram('backup', { DATABASE_URL: databaseUrl }, ['--to', to]);
    expect(await backup.ended).toBe(1);
    return backup.stderr().trim().split('\n').at(-1);
  };
  expect(await refused(wrong, `${GUIDE}.tar`)).toBe(
    `The database cannot be used: password authentication failed for user "${role}". Check the user, the password and pg_hba.conf.`,
  );
  expect(await refused(url, `${GUIDE}/no-folder/b.tar`)).toMatch(
    /^Cannot write .*b\.tar: (ENOTDIR|EEXIST): /,
  );
});

test.each(['backup', 'doctor', 'service'] as const)(
  '%s reports at once that the server requires a password which the URL lacks',
  async (name) => {
    const without = Object.assign(new URL(url), { password: '' }).href;
    const program = await startProgram(name, { DATABASE_URL: without, AUTH_JWT_SECRET: SECRET });
    expect(await program.ended).toBe(1);
    const [line] = (program.stdout() + program.stderr())
      .split('\n')
      .filter((text) => text.includes('the server asks for a password'));
    expect(line).toContain('//user:password@host/database');
    expect(program.stderr()).not.toMatch(/^ +at /m);
  },
);
