// A copy of the database contains no working credential of people and programs.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createAdminCaller } from '../../test/admin-caller.ts';
import type { TestService } from '../../test/test-service.ts';
import { startTestService } from '../../test/test-service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

/** Every row of every table of accounts, and the audit trail, as text. */
const copyTables = async (): Promise<string> => {
  const { pool } = service.database;
  const { rows } = await pool.query<{ name: string }>(
    `SELECT tablename AS name FROM pg_tables
     WHERE schemaname = current_schema() AND tablename ~ '^(account|service|audit)_'`,
  );
  const tables = await Promise.all(
    rows.map(({ name }) => pool.query(`SELECT t::text AS row FROM "${name}" t`)),
  );
  return JSON.stringify(tables.flatMap((table) => table.rows));
};

it('a copy of the tables contains no working password, key, link, second factor or cookie', async () => {
  const person = await service.createPerson({ role: 'owner' });
  const admin = createAdminCaller(service.baseUrl, person);
  const link = await admin.mutate<{ url: string }>('people.invite', {
    email: 'invited@muster.example',
    role: 'viewer',
  });
  const account = await admin.mutate<{ account_id: string }>('keys.createAccount', { name: 'Bot' });
  const key = await admin.mutate<{ key: string }>('keys.create', {
    account_id: account.data.account_id,
    name: 'k',
    permissions: ['metrics:view'],
  });
  const enabled = await fetch(`${service.baseUrl}/admin/auth/two-factor/enable`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      origin: service.baseUrl,
      cookie: person.cookie,
    },
    body: JSON.stringify({ password: person.password }),
  });
  const factor = (await enabled.json()) as { totpURI: string; backupCodes: string[] };

  const copy = await copyTables();
  expect(copy).toContain('invited@muster.example');
  const secrets = [
    person.password,
    link.data.url.split('#token=')[1],
    key.data.key,
    new URL(factor.totpURI).searchParams.get('secret'),
    ...factor.backupCodes,
    decodeURIComponent(person.cookie.split('=')[1] ?? ''),
  ];
  for (const secret of secrets) {
    expect(String(secret).length).toBeGreaterThan(8);
    expect(copy).not.toContain(secret);
  }
  const stored = await service.database.prisma.accountLogin.findFirstOrThrow();
  // Salt and scrypt hash, in the library's format.
  expect(stored.password).toMatch(/^[0-9a-f]{32}:[0-9a-f]{128}$/);
  const session = await service.database.prisma.accountSession.findFirstOrThrow();
  for (const value of [session.token, `${session.token}.`, `${session.token}.c2lnbmVk`]) {
    const cookie = `muster.session_token=${encodeURIComponent(value)}`;
    const me = await createAdminCaller(service.baseUrl, { cookie }).query('me.get');
    expect(me.status).toBe(403);
  }
});
