import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAdminCaller } from '../../test/admin-caller.ts';
import { postAuth, readErrorCode } from '../../test/auth-calls.ts';
import type { TestService } from '../../test/test-service.ts';
import { readCookies, signIn, startTestService } from '../../test/test-service.ts';
import { hashPassword } from './better-auth.ts';
import { replacePassword } from './person-store.ts';

/** Behind a trusted proxy that sends the client's address. */
const PROXIED = { TRUST_PROXY: '1' };

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ env: PROXIED });
});
afterAll(() => service.close());

const post = (path: string, body: unknown, headers?: Record<string, string>) =>
  postAuth(service.baseUrl, path, body, headers);
/** A sign-in from an address. */
const attempt = (baseUrl: string, address: string, email: string, password: string) =>
  postAuth(baseUrl, '/sign-in/email', { email, password }, { 'x-forwarded-for': address });
const meOf = (cookie: string) => createAdminCaller(service.baseUrl, { cookie }).query('me.get');
const actionsOf = async (accountId: string) => {
  const records = await service.database.prisma.auditRecord.findMany({
    where: { accountId },
    orderBy: { auditId: 'asc' },
  });
  return records.map(({ action }) => action);
};

describe('signing in', () => {
  it('gives access to the admin API with an HttpOnly cookie', async () => {
    const { email, password, accountId } = await service.createPerson({ role: 'editor' });
    const response = await post('/sign-in/email', { email, password });
    const [cookie = ''] = response.headers.getSetCookie();
    expect(cookie).toMatch(/^muster\.session_token=/);
    expect(cookie.split('; ').map((part) => part.toLowerCase())).toEqual(
      expect.arrayContaining(['httponly', 'samesite=strict', 'path=/']),
    );
    const body = await response.text();
    expect(body).not.toContain(decodeURIComponent(cookie.split('=')[1] ?? '').split('.')[0]);
    const me = await meOf(readCookies(response));
    expect(me).toMatchObject({ status: 200, data: { account_id: accountId, role: 'editor' } });
    expect(await actionsOf(accountId)).toEqual(['auth.signIn', 'auth.signIn']);
  });

  it('sets cookies over https that only this host can set, and reads no others', async () => {
    const env = { PUBLIC_URL: 'https://muster.example', TRUST_PROXY: '0' };
    const { databaseUrl } = service;
    const secure = await startTestService({ databaseUrl, env });
    const { email, password, accountId } = await service.createPerson({ role: 'viewer' });
    const response = await fetch(`${secure.baseUrl}/admin/auth/sign-in/email`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: env.PUBLIC_URL },
      body: JSON.stringify({ email, password }),
    });
    const [cookie = ''] = response.headers.getSetCookie();
    expect(cookie).toMatch(/^__Host-muster\.session_token=/);
    const attributes = cookie.split('; ').map((part) => part.toLowerCase());
    expect(attributes).toEqual(expect.arrayContaining(['secure', 'httponly', 'path=/']));
    expect(cookie).not.toMatch(/domain=/i);
    const fresh = readCookies(response);
    const meWith = (sent: string) =>
      createAdminCaller(secure.baseUrl, { cookie: sent }).query('me.get');
    expect((await meWith(fresh)).data).toMatchObject({ account_id: accountId });
    for (const prefix of ['__Secure-', '']) {
      expect((await meWith(fresh.replaceAll('__Host-', prefix))).status).toBe(403);
    }
    await secure.close();
  });

  it('refuses an e-mail address that the database cannot store', async () => {
    const response = await post('/sign-in/email', { email: 'a\u0000@b.example', password: 'x' });
    expect([response.status, await readErrorCode(response)]).toEqual([400, 'input_invalid']);
  });

  it('refuses a wrong password and an unknown person alike, and records the refusal', async () => {
    const { email, accountId } = await service.createPerson({ role: 'viewer' });
    const wrong = await post('/sign-in/email', { email, password: 'not the password' });
    const unknown = await post('/sign-in/email', {
      email: 'nobody@muster.example',
      password: 'not the password',
    });
    expect([wrong.status, unknown.status]).toEqual([403, 403]);
    expect(await wrong.text()).toBe(await unknown.text());
    const refused = await service.database.prisma.auditRecord.findMany({
      where: { action: 'auth.signInRefused' },
      orderBy: { auditId: 'asc' },
    });
    expect(refused.map(({ target }) => target)).toEqual([{ account_id: accountId }, {}]);
    expect(JSON.stringify(refused)).not.toContain('nobody@');
  });

  it('issues a new token each time and never accepts a planted one', async () => {
    const { email, password, cookie } = await service.createPerson({ role: 'viewer' });
    const planted = 'muster.session_token=planted.c2lnbmF0dXJl';
    const response = await post('/sign-in/email', { email, password }, { cookie: planted });
    expect(readCookies(response)).not.toContain('planted');
    expect(readCookies(response)).not.toBe(cookie);
    expect((await meOf(planted)).code).toBe('auth_session_ended');
  });

  it('exposes no other endpoints: no sign-up, deletion or change of address', async () => {
    const { cookie } = await service.createPerson({ role: 'viewer' });
    const paths = [
      '/sign-up/email',
      '/delete-user',
      '/change-email',
      '/update-user',
      '/ok',
      '/token',
    ];
    for (const path of [...paths, '/list-sessions', '/two-factor/send-otp', '/__proto__']) {
      const answer = await post(
        path,
        { email: 'a@b.example', password: 'x', name: 'x' },
        { cookie },
      );
      expect([path, answer.status]).toEqual([path, 404]);
    }
    const get = await fetch(`${service.baseUrl}/admin/auth/sign-in/email`);
    expect([get.status, get.headers.get('allow')]).toEqual([405, 'POST']);
  });

  it('refuses malformed input before it hashes a password', async () => {
    for (const body of [{}, { email: 1 }, { email: 'a@b.example', password: 'x'.repeat(300) }]) {
      const answer = await post('/sign-in/email', body);
      expect([answer.status, await readErrorCode(answer)]).toEqual([400, 'input_invalid']);
    }
  });

  it('ends with the sign-out', async () => {
    const { cookie, accountId } = await service.createPerson({ role: 'viewer' });
    expect((await post('/sign-out', {}, { cookie })).status).toBe(200);
    expect((await meOf(cookie)).code).toBe('auth_session_ended');
    expect(await actionsOf(accountId)).toEqual(['auth.signIn', 'auth.signOut']);
  });

  it('limits guesses across all processes and states the time to wait', async () => {
    const second = await startTestService({ databaseUrl: service.databaseUrl, env: PROXIED });
    const { email, password } = await service.createPerson({ role: 'viewer' });
    const guess = (baseUrl: string, value: string) => attempt(baseUrl, '203.0.113.9', email, value);
    const statuses = await Promise.all(
      Array.from({ length: 8 }, async (_, index) => {
        const { baseUrl } = index % 2 === 0 ? service : second;
        return (await guess(baseUrl, 'wrong wrong wrong')).status;
      }),
    );
    expect(statuses.toSorted()).toEqual([403, 403, 403, 403, 403, 429, 429, 429]);
    const refused = await guess(second.baseUrl, password);
    expect([refused.status, await readErrorCode(refused)]).toEqual([429, 'rate_limited']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(200);
    await second.close();
  });

  it('does not lock out a person who has signed in from the address when strangers use it', async () => {
    const { email, password, accountId } = await service.createPerson({ role: 'viewer' });
    const newcomer = await service.createPerson({ role: 'viewer' });
    const address = '203.0.113.20';
    const { baseUrl } = service;
    expect((await attempt(baseUrl, address, email, password)).status).toBe(200);
    await attempt(baseUrl, address, 'stranger@muster.example', 'wrong wrong wrong');
    // The state after thirty attempts, each of which would cost a hash.
    await service.database.prisma.accountThrottle.updateMany({
      where: { key: { startsWith: `sign-in:${address}` } },
      data: { attempts: 30 },
    });
    expect((await attempt(baseUrl, address, newcomer.email, password)).status).toBe(429);
    // Any attempts for this person as well, up to a hundred within an hour.
    for (let count = 0; count < 6; count += 1) {
      expect((await attempt(baseUrl, address, email, 'wrong wrong wrong')).status).toBe(403);
    }
    expect((await attempt(baseUrl, address, email, password)).status).toBe(200);
    expect(await actionsOf(accountId)).toEqual(['auth.signIn', 'auth.signIn', 'auth.signIn']);
  });

  it('does not lock out a person from a known address when strangers try from many addresses', async () => {
    const { email, password } = await service.createPerson({ role: 'viewer' });
    const { baseUrl } = service;
    expect((await attempt(baseUrl, '203.0.113.30', email, password)).status).toBe(200);
    const { prisma } = service.database;
    await attempt(baseUrl, '198.51.100.1', email, 'wrong wrong wrong');
    // The state after a hundred attempts, each of which would cost a hash.
    const every = await prisma.accountThrottle.updateMany({
      where: { key: { startsWith: 'sign-in:*:' } },
      data: { attempts: 100 },
    });
    expect(every.count).toBeGreaterThan(0);
    expect((await attempt(baseUrl, '198.51.100.2', email, password)).status).toBe(429);
    expect((await attempt(baseUrl, '203.0.113.30', email, password)).status).toBe(200);
    await prisma.accountThrottle.deleteMany({ where: { key: { startsWith: 'sign-in:*:' } } });
  });

  /** Each version of a row names the transaction that wrote it. */
  const readRows = () =>
    service.database.prisma.$queryRaw`SELECT xmin::text, * FROM account_throttle ORDER BY key`;

  it('writes nothing for attempts beyond the limit of an address', async () => {
    const address = '203.0.113.40';
    const { prisma } = service.database;
    await attempt(service.baseUrl, address, 'first@muster.example', 'wrong wrong wrong');
    await prisma.accountThrottle.update({
      where: { key: `sign-in:${address}` },
      data: { attempts: 30 },
    });
    const refuse = async () => {
      const email = `${crypto.randomUUID()}@muster.example`;
      expect((await attempt(service.baseUrl, address, email, 'wrong')).status).toBe(429);
    };
    await refuse();
    const before = await readRows();
    for (let count = 0; count < 5; count += 1) await refuse();
    expect(await readRows()).toEqual(before);
  });

  it('does not count attempts for the address that the limit of a person rejected', async () => {
    const address = '203.0.113.41';
    const guess = () => attempt(service.baseUrl, address, 'one@muster.example', 'wrong wrong');
    for (let count = 0; count < 6; count += 1) await guess();
    const before = await readRows();
    for (let count = 0; count < 2; count += 1) expect((await guess()).status).toBe(429);
    expect(await readRows()).toEqual(before);
    const { attempts } = await service.database.prisma.accountThrottle.findUniqueOrThrow({
      where: { key: `sign-in:${address}` },
    });
    expect(attempts).toBe(5);
  });

  it('does not count sign-ins that succeed', async () => {
    const { email, password } = await service.createPerson({ role: 'viewer' });
    for (let count = 0; count < 7; count += 1) await signIn(service.baseUrl, email, password);
  });
});

describe('a password', () => {
  const NEW = 'another password, much longer';

  it('that works once only permits choosing a new password', async () => {
    const { cookie, password, email } = await service.createPerson({
      role: 'owner',
      mustChangePassword: true,
    });
    const admin = createAdminCaller(service.baseUrl, { cookie });
    expect((await admin.query('me.get')).data).toMatchObject({ must_change_password: true });
    expect((await admin.query('people.list')).code).toBe('password_change_required');
    const enable = await post('/two-factor/enable', { password }, { cookie });
    expect(await readErrorCode(enable)).toBe('password_change_required');
    const change = { currentPassword: password, newPassword: password };
    expect(await readErrorCode(await post('/change-password', change, { cookie }))).toBe(
      'password_unfit',
    );
    const short = { currentPassword: password, newPassword: 'short' };
    expect(await readErrorCode(await post('/change-password', short, { cookie }))).toBe(
      'password_unfit',
    );
    const common = { currentPassword: password, newPassword: 'Administrator1' };
    const refused = await post('/change-password', common, { cookie });
    expect(await refused.json()).toMatchObject({
      error_code: 'password_unfit',
      desc: expect.stringMatching(/too common/),
    });
    const own = { currentPassword: password, newPassword: `${email}!` };
    expect(await readErrorCode(await post('/change-password', own, { cookie }))).toBe(
      'password_unfit',
    );
    const changed = await post('/change-password', { ...change, newPassword: NEW }, { cookie });
    expect(changed.status).toBe(200);
    const fresh = createAdminCaller(service.baseUrl, { cookie: readCookies(changed) });
    expect((await fresh.query('people.list')).status).toBe(200);
  });

  it('that is replaced while it is being checked opens no session', async () => {
    const { email, password, accountId } = await service.createPerson({ role: 'viewer' });
    const { prisma } = service.database;
    const [hash] = await Promise.all(
      Array.from({ length: 6 }, () => hashPassword(crypto.randomUUID())),
    );
    // Hashes run one at a time: the sign-in waits behind these and has already read the old hash.
    const queue = Array.from({ length: 6 }, () => hashPassword(crypto.randomUUID()));
    const signingIn = post('/sign-in/email', { email, password });
    await queue[1];
    await prisma.$transaction((transaction) =>
      replacePassword(transaction, accountId, `${hash}`, new Date()),
    );
    const refused = await signingIn;
    expect([refused.status, await readErrorCode(refused)]).toEqual([403, 'sign_in_refused']);
    expect(refused.headers.getSetCookie()).toEqual([]);
    expect(await prisma.accountSession.count({ where: { userId: accountId } })).toBe(0);
  });

  it('ends every other sign-in when it changes', async () => {
    const { email, password, cookie, accountId } = await service.createPerson({ role: 'viewer' });
    const elsewhere = await signIn(service.baseUrl, email, password);
    const change = { currentPassword: password, newPassword: NEW };
    const wrong = { ...change, currentPassword: 'not the password' };
    expect(await readErrorCode(await post('/change-password', wrong, { cookie }))).toBe(
      'password_refused',
    );
    const changed = await post('/change-password', change, { cookie });
    expect((await meOf(elsewhere)).code).toBe('auth_session_ended');
    expect((await meOf(cookie)).code).toBe('auth_session_ended');
    expect((await meOf(readCookies(changed))).status).toBe(200);
    await expect(signIn(service.baseUrl, email, password)).rejects.toThrow('sign_in_refused');
    expect(await actionsOf(accountId)).toEqual([
      'auth.signIn',
      'auth.signIn',
      'auth.changePassword',
    ]);
  });
});
