// Successful attempts are limited as well: each sign-in and each change leaves an audit record, and a sign-in leaves a
// session.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createAdminCaller } from '../../test/admin-caller.ts';
import { postAuth } from '../../test/auth-calls.ts';
import { makeCode } from '../../test/one-time-code.ts';
import type { SignedInPerson, TestService } from '../../test/test-service.ts';
import { readCookies, startTestService } from '../../test/test-service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

const post = (path: string, body: unknown, cookie = '') =>
  postAuth(service.baseUrl, path, body, { cookie });
const answerOf = async (response: Response) => [
  response.status,
  ((await response.json()) as { error_code?: string }).error_code,
];
const meOf = (cookie: string) => createAdminCaller(service.baseUrl, { cookie }).query('me.get');

/** Counts as if the person had succeeded this often within this hour. */
const countAs = (key: string, attempts: number) =>
  service.database.prisma.accountThrottle.upsert({
    where: { key },
    create: { key, attempts, windowStartedAt: new Date() },
    update: { attempts },
  });
const countRecords = (accountId: string) =>
  service.database.prisma.auditRecord.count({ where: { accountId } });
const countSessions = (userId: string) =>
  service.database.prisma.accountSession.count({ where: { userId } });

it('allows a person 300 sign-ins an hour; the next one opens no session and leaves no row', async () => {
  const { email, password, accountId } = await service.createPerson({ role: 'viewer' });
  await countAs(`sign-ins:${accountId}`, 299);
  const last = await post('/sign-in/email', { email, password });
  expect(last.status).toBe(200);
  const before = [await countRecords(accountId), await countSessions(accountId)];
  const refused = await post('/sign-in/email', { email, password });
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3_500);
  expect(refused.headers.getSetCookie()).toEqual([]);
  expect(await answerOf(refused)).toEqual([429, 'rate_limited']);
  expect([await countRecords(accountId), await countSessions(accountId)]).toEqual(before);
  expect((await meOf(readCookies(last))).status).toBe(200);
  const other = await service.createPerson({ role: 'viewer' });
  expect((await meOf(other.cookie)).status).toBe(200);
});

it('ends the oldest of more than a thousand sign-ins of one person', async () => {
  const person = await service.createPerson({ role: 'viewer' });
  const { email, password, accountId } = person;
  const { prisma } = service.database;
  const day = Date.now() - 86_400_000;
  const older = Array.from({ length: 1_010 }, (_, index) => ({
    id: randomUUID(),
    token: randomUUID(),
    userId: accountId,
    createdAt: new Date(day + index),
    expiresAt: new Date(Date.now() + 86_400_000),
  }));
  await prisma.accountSession.createMany({ data: older });
  const newest = readCookies(await post('/sign-in/email', { email, password }));
  expect(await countSessions(accountId)).toBe(1_000);
  expect((await meOf(newest)).status).toBe(200);
  expect((await meOf(person.cookie)).status).toBe(200);
  const kept = await prisma.accountSession.findMany({ where: { userId: accountId } });
  const ids = new Set(kept.map(({ id }) => id));
  expect(older.filter(({ id }) => ids.has(id))).toEqual(older.slice(12));
});

/** A person who has proven a second factor. */
const protect = async (): Promise<SignedInPerson> => {
  const person = await service.createPerson({ role: 'viewer' });
  const { password } = person;
  const enabled = await post('/two-factor/enable', { password }, person.cookie);
  const { totpURI } = (await enabled.json()) as { totpURI: string };
  const proof = { code: makeCode(totpURI) };
  const proven = await post('/two-factor/verify-totp', proof, person.cookie);
  expect(proven.status).toBe(200);
  return { ...person, cookie: readCookies(proven) };
};

it('allows 300 sign-ins an hour from one address that wait for the second factor', async () => {
  const { email, password, accountId } = await protect();
  const { prisma } = service.database;
  const waiting = () => prisma.accountVerification.count({ where: { value: accountId } });
  expect((await post('/sign-in/email', { email, password })).status).toBe(200);
  const key = { startsWith: 'first-steps:', endsWith: accountId };
  expect(
    await prisma.accountThrottle.updateMany({ where: { key }, data: { attempts: 300 } }),
  ).toEqual({
    count: 1,
  });
  const before = await waiting();
  expect(await answerOf(await post('/sign-in/email', { email, password }))).toEqual([
    429,
    'rate_limited',
  ]);
  expect(await waiting()).toBe(before);
});

it.each(['/two-factor/enable', '/two-factor/generate-backup-codes', '/change-password'])(
  'allows sixty changes of the own credentials per hour: %s',
  async (path) => {
    const isOff = path === '/two-factor/enable';
    const person = isOff ? await service.createPerson({ role: 'viewer' }) : await protect();
    const { password, cookie, accountId } = person;
    const body = { password, currentPassword: password, newPassword: `${randomUUID()} is new` };
    await countAs(`own-changes:${accountId}`, 59);
    const wrong = { ...body, password: 'not the password', currentPassword: 'not the password' };
    expect(await answerOf(await post(path, wrong, cookie))).toEqual([403, 'password_refused']);
    await countAs(`own-changes:${accountId}`, 60);
    const before = await countRecords(accountId);
    expect(await answerOf(await post(path, body, cookie))).toEqual([429, 'rate_limited']);
    expect(await countRecords(accountId)).toBe(before);
    await countAs(`own-changes:${accountId}`, 59);
    expect((await post(path, body, cookie)).status).toBe(200);
    const { prisma } = service.database;
    const where = { key: `own-changes:${accountId}` };
    expect(await prisma.accountThrottle.findUnique({ where })).toMatchObject({ attempts: 60 });
  },
);

it('ends thousands of sign-ins of one person in batches', async () => {
  const { cookie, accountId } = await service.createPerson({ role: 'viewer' });
  const { pool } = service.database;
  await pool.query(
    `INSERT INTO account_session (id, token, user_id, expires_at)
     SELECT gen_random_uuid(), gen_random_uuid(), $1, now() + interval '1 day' FROM generate_series(1, 2500)`,
    [accountId],
  );
  await pool.query(`
    CREATE FUNCTION refuse_many() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF (SELECT count(*) FROM gone) > 1000 THEN RAISE 'more than one batch'; END IF;
      RETURN NULL;
    END $$;
    CREATE TRIGGER refuse_many AFTER DELETE ON account_session
      REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION refuse_many()`);
  const ended = await createAdminCaller(service.baseUrl, { cookie }).mutate('me.endSignIns');
  expect(ended.data).toEqual({ ended: 2_500 });
  const owner = createAdminCaller(service.baseUrl, await service.createPerson({ role: 'owner' }));
  await pool.query(
    `INSERT INTO account_session (id, token, user_id, expires_at)
     SELECT gen_random_uuid(), gen_random_uuid(), $1, now() + interval '1 day' FROM generate_series(1, 2500)`,
    [accountId],
  );
  const disabling = { account_id: accountId, disabled: true };
  expect((await owner.mutate('people.setDisabled', disabling)).status).toBe(200);
  expect(await countSessions(accountId)).toBe(0);
});
