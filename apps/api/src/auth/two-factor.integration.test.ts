import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createAdminCaller } from '../../test/admin-caller.ts';
import { postAuth, readErrorCode } from '../../test/auth-calls.ts';
import { makeCode } from '../../test/one-time-code.ts';
import type { TestService } from '../../test/test-service.ts';
import { readCookies, signIn, startTestService } from '../../test/test-service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

const post = (path: string, body: unknown, cookie = '') =>
  postAuth(service.baseUrl, path, body, { cookie });
const meOf = (cookie: string) => createAdminCaller(service.baseUrl, { cookie }).query('me.get');

type Enabled = { totpURI: string; backupCodes: string[] };

/** A person with a verified second factor. */
const createProtected = async () => {
  const person = await service.createPerson({ role: 'editor' });
  const { password } = person;
  const answer = await post('/two-factor/enable', { password }, person.cookie);
  const { totpURI, backupCodes } = (await answer.json()) as Enabled;
  const proof = { code: makeCode(totpURI) };
  const proven = await post('/two-factor/verify-totp', proof, person.cookie);
  return { ...person, totpURI, backupCodes, proof, cookie: readCookies(proven) };
};

it('requires a second factor after it was verified', async () => {
  const person = await createProtected();
  expect((await meOf(person.cookie)).data).toMatchObject({ two_factor_enabled: true });
  const { email, password, accountId } = person;
  const first = await post('/sign-in/email', { email, password });
  expect(await first.clone().json()).toMatchObject({ twoFactorRedirect: true });
  const half = readCookies(first);
  // Every cookie of a sign-in, including the one between the steps.
  for (const cookie of first.headers.getSetCookie()) {
    expect(cookie).toMatch(/; HttpOnly(?:;|$)/i);
    expect(cookie).toMatch(/; SameSite=Strict(?:;|$)/i);
  }
  expect((await meOf(half)).status).toBe(403);
  const wrong = await post('/two-factor/verify-totp', { code: '000000' }, half);
  expect([wrong.status, await readErrorCode(wrong)]).toEqual([403, 'two_factor_refused']);
  const code = makeCode(person.totpURI, 1);
  const right = await post('/two-factor/verify-totp', { code }, half);
  expect(right.status).toBe(200);
  expect(await right.clone().text()).not.toContain('token');
  expect((await meOf(readCookies(right))).status).toBe(200);
  const records = await service.database.prisma.auditRecord.findMany({ where: { accountId } });
  expect(records.map(({ action }) => action).toSorted()).toEqual([
    'auth.enableTwoFactor',
    'auth.prepareTwoFactor',
    'auth.signIn',
    'auth.signIn',
  ]);
});

it('accepts a code once: not again after a sign-in or the verification, nor twice at the same moment', async () => {
  const { email, password, totpURI, proof } = await createProtected();
  const begin = async () => readCookies(await post('/sign-in/email', { email, password }));
  const use = async (half: string, code: string) => post('/two-factor/verify-totp', { code }, half);
  expect(await readErrorCode(await use(await begin(), proof.code))).toBe('two_factor_refused');
  const halves = await Promise.all([begin(), begin(), begin()]);
  const code = makeCode(totpURI, 1);
  const answers = await Promise.all(halves.map((half) => use(half, code)));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 403, 403]);
  const refused = answers.find(({ status }) => status === 403);
  expect((await meOf(readCookies(refused as Response))).status).toBe(403);
  const again = await use(await begin(), code);
  expect([again.status, await readErrorCode(again)]).toEqual([403, 'two_factor_refused']);
  await service.database.prisma.accountThrottle.deleteMany();
});

it('accepts a code again that was used long ago', async () => {
  const { email, password, totpURI } = await createProtected();
  const code = makeCode(totpURI, 1);
  const signInWith = async () => {
    const half = readCookies(await post('/sign-in/email', { email, password }));
    return (await post('/two-factor/verify-totp', { code }, half)).status;
  };
  expect([await signInWith(), await signInWith()]).toEqual([200, 403]);
  await service.database.prisma.accountVerification.updateMany({
    where: { value: 'used' },
    data: { expiresAt: new Date(Date.now() - 1) },
  });
  expect(await signInWith()).toBe(200);
});

it('accepts a backup code once', async () => {
  const { email, password, backupCodes } = await createProtected();
  const code = backupCodes[0];
  const use = async () => {
    const half = readCookies(await post('/sign-in/email', { email, password }));
    return post('/two-factor/verify-backup-code', { code }, half);
  };
  expect((await use()).status).toBe(200);
  expect(await readErrorCode(await use())).toBe('two_factor_refused');
});

it('ends the challenge after wrong codes, then limits the address', async () => {
  const { email, password, totpURI } = await createProtected();
  const half = readCookies(await post('/sign-in/email', { email, password }));
  for (let count = 0; count < 6; count += 1) {
    await post('/two-factor/verify-totp', { code: '000000' }, half);
  }
  const late = await post('/two-factor/verify-totp', { code: makeCode(totpURI, 1) }, half);
  expect(late.status).not.toBe(200);
  expect((await meOf(readCookies(late))).status).toBe(403);
  // The challenge now belongs to no person.
  const statuses: number[] = [];
  for (let count = 0; count < 12; count += 1) {
    statuses.push((await post('/two-factor/verify-totp', { code: '000000' }, half)).status);
  }
  expect(statuses.at(-1)).toBe(429);
  await service.database.prisma.accountThrottle.deleteMany();
});

it('lets an admin of people remove the second factor of a person', async () => {
  const { email, password, accountId, cookie } = await createProtected();
  const owner = await service.createPerson({ role: 'owner' });
  const admin = createAdminCaller(service.baseUrl, owner);
  const reset = await admin.mutate('people.resetTwoFactor', { account_id: accountId });
  expect(reset.status).toBe(200);
  expect((await meOf(cookie)).code).toBe('auth_session_ended');
  const again = await signIn(service.baseUrl, email, password);
  expect((await meOf(again)).data).toMatchObject({ two_factor_enabled: false });
});

it('cannot be turned off without the password', async () => {
  const { password, cookie } = await createProtected();
  const guess = { password: 'not the password' };
  expect(await readErrorCode(await post('/two-factor/disable', guess, cookie))).toBe(
    'password_refused',
  );
  const off = await post('/two-factor/disable', { password }, cookie);
  expect((await meOf(readCookies(off))).data).toMatchObject({ two_factor_enabled: false });
});

it('does not let strangers without the password use up the attempts of a person between both steps', async () => {
  const { email, password, totpURI } = await createProtected();
  const half = readCookies(await post('/sign-in/email', { email, password }));
  const statuses: number[] = [];
  for (let count = 0; count < 12; count += 1) {
    statuses.push((await post('/two-factor/verify-totp', { code: '000000' })).status);
  }
  expect(statuses.slice(-2)).toEqual([429, 429]);
  const right = await post('/two-factor/verify-totp', { code: makeCode(totpURI, 1) }, half);
  expect(right.status).toBe(200);
});

/** The cookie between both steps, as a browser sends it and in other forms that the library reads as the same. */
const SPELLINGS: [string, (half: string) => string][] = [
  ['as it was given', (half) => half],
  ['percent-encoded', (half) => half.replace('2fa-', '2fa%2D')],
  ['in quotes', (half) => half.replace(/(muster\.two_factor=)([^;]+)/, '$1"$2"')],
  ['behind one of another name', (half) => `__Host-muster.two_factor=2fa-decoy.x; ${half}`],
  ['before another of its name', (half) => `${half}; muster.two_factor=2fa-decoy.x`],
];

it.each(SPELLINGS)(
  'counts a code for the person whom the cookie identifies, %s',
  async (_how, spell) => {
    const { email, password, accountId, backupCodes } = await createProtected();
    const half = spell(readCookies(await post('/sign-in/email', { email, password })));
    await post('/two-factor/verify-totp', { code: '000000' }, half);
    const { prisma } = service.database;
    const where = { key: `second-factor:${accountId}` };
    expect(await prisma.accountThrottle.findUnique({ where })).toMatchObject({ attempts: 1 });
    const right = await post('/two-factor/verify-backup-code', { code: backupCodes[0] }, half);
    expect(right.status).toBe(200);
  },
);

it('requires the second factor on every device, including trusted ones, after it was turned off and on', async () => {
  const { email, password, cookie, totpURI } = await createProtected();
  let device = readCookies(await post('/sign-in/email', { email, password }));
  /** True when the second factor is required. A trusted device receives another cookie each time. */
  const asks = async () => {
    const first = await post('/sign-in/email', { email, password }, device);
    device = readCookies(first);
    return 'twoFactorRedirect' in ((await first.json()) as object);
  };
  const proof = { code: makeCode(totpURI, 1), trustDevice: true };
  device = readCookies(await post('/two-factor/verify-totp', proof, device));
  expect([await asks(), await asks()]).toEqual([false, false]);
  const off = readCookies(await post('/two-factor/disable', { password }, cookie));
  const enabled = await post('/two-factor/enable', { password }, off);
  const code = makeCode(((await enabled.json()) as Enabled).totpURI);
  expect((await post('/two-factor/verify-totp', { code }, off)).status).toBe(200);
  expect(await asks()).toBe(true);
});

it('does not turn on a second factor with a backup code, and writes no audit record of it', async () => {
  const { password, cookie, accountId } = await service.createPerson({ role: 'editor' });
  const answer = await post('/two-factor/enable', { password }, cookie);
  const { backupCodes } = (await answer.json()) as Enabled;
  await post('/two-factor/verify-backup-code', { code: backupCodes[0] }, cookie);
  expect((await meOf(cookie)).data).toMatchObject({ two_factor_enabled: false });
  const { prisma } = service.database;
  const records = await prisma.auditRecord.findMany({ where: { accountId } });
  expect(records.map(({ action }) => action)).not.toContain('auth.enableTwoFactor');
});

it('makes a second step wait for a concurrent password change and opens no session', async () => {
  const { email, password, accountId, backupCodes } = await createProtected();
  const half = readCookies(await post('/sign-in/email', { email, password }));
  const use = () => post('/two-factor/verify-backup-code', { code: backupCodes[0] }, half);
  const { prisma } = service.database;
  const step = await prisma.$transaction(async (transaction) => {
    // In the order of the library, which ends sign-ins before pending second steps.
    const where = { userId: accountId };
    await transaction.accountLogin.updateMany({ where, data: { updatedAt: new Date() } });
    await transaction.accountSession.deleteMany({ where });
    const step = use();
    await Promise.race([step, setTimeout(300)]);
    await transaction.accountVerification.deleteMany({ where: { value: accountId } });
    return { answer: step };
  });
  expect(await readErrorCode(await step.answer)).toBe('two_factor_refused');
  expect(await prisma.accountSession.count({ where: { userId: accountId } })).toBe(0);
});
