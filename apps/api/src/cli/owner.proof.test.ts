// `muster owner` beside a running service.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createAdminCaller } from '../../test/admin-caller.ts';
import { postAuth } from '../../test/auth-calls.ts';
import { makeCode } from '../../test/one-time-code.ts';
import { startProgram } from '../../test/service-process.ts';
import { noteSecrets } from '../../test/suite-logs/suite-logs.ts';
import type { TestService } from '../../test/test-service.ts';
import { signIn, startTestService } from '../../test/test-service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());
beforeEach(async () => {
  await service.database.prisma.accountUser.deleteMany();
  await service.database.prisma.accountThrottle.deleteMany();
  await service.database.prisma.auditRecord.deleteMany();
});

const run = async (...args: string[]) => {
  const program = await startProgram('owner', { DATABASE_URL: service.databaseUrl }, args);
  const code = await program.ended;
  const output = program.stdout().trim();
  if (args[0] === 'reset') noteSecrets(output);
  return { code, output, errors: program.stderr() };
};

const meOf = (cookie: string) => createAdminCaller(service.baseUrl, { cookie }).query('me.get');
const post = (path: string, body: unknown, cookie = '') =>
  postAuth(service.baseUrl, path, body, { cookie });
const resets = () =>
  service.database.prisma.auditRecord.findMany({ where: { action: 'people.resetOwner' } });

describe('muster owner reset', () => {
  it('lets the only owner back in who lost password and second factor, and ends every sign-in', async () => {
    const { accountId, email, password, cookie } = await service.createPerson({ role: 'owner' });
    const enabled = await post('/two-factor/enable', { password }, cookie);
    const { totpURI } = (await enabled.json()) as { totpURI: string };
    await post('/two-factor/verify-totp', { code: makeCode(totpURI) }, cookie);
    // From an address without earlier sign-ins.
    await service.database.prisma.accountThrottle.deleteMany();
    for (let n = 0; n < 6; n += 1) await post('/sign-in/email', { email, password: 'a wrong one' });
    const open = await signIn(service.baseUrl, email, password).catch(String);
    expect(open).toContain('rate_limited');

    const { code, output } = await run('reset');
    expect(code).toBe(0);
    expect(output).toMatch(/^\w{5}(?:-\w{5}){3}$/);
    expect((await meOf(cookie)).status).toBe(403);
    const me = await meOf(await signIn(service.baseUrl, email, output));
    expect(me.data).toMatchObject({
      role: 'owner',
      must_change_password: true,
      two_factor_enabled: false,
    });
    expect(await resets()).toEqual([
      expect.objectContaining({
        accountId: 'muster',
        target: { account_id: accountId },
        before: { role: 'owner', disabled: false, two_factor_enabled: true },
      }),
    ]);
  });

  it('enables a disabled owner and removes identities of single sign-on', async () => {
    const { accountId, email } = await service.createPerson({ role: 'owner' });
    const { prisma } = service.database;
    await prisma.accountUser.update({
      where: { id: accountId },
      data: { disabledAt: new Date() },
    });
    const identity = { providerId: 'oidc', accountId: 'subject', issuer: 'https://issuer.example' };
    await prisma.accountLogin.create({ data: { id: 'identity', userId: accountId, ...identity } });
    const { output } = await run('reset', '--email', email.toUpperCase());
    expect((await meOf(await signIn(service.baseUrl, email, output))).status).toBe(200);
    expect(await prisma.accountLogin.count({ where: { providerId: 'oidc' } })).toBe(0);
    expect((await resets())[0]?.before).toMatchObject({
      disabled: true,
      identities: [{ subject: 'subject', issuer: 'https://issuer.example' }],
    });
  });

  it('makes an owner of a new address or of a person with another role, with --create only', async () => {
    const viewer = await service.createPerson({ role: 'viewer' });
    for (const email of [viewer.email, 'new@muster.example']) {
      const refused = await run('reset', '--email', email);
      expect([refused.code, refused.output]).toEqual([1, '']);
      expect(refused.errors).toBe(
        `${email} is no owner. The command "owner list" lists the owners; --create makes this address one.\n`,
      );
      const { output } = await run('reset', '--email', email, '--create');
      const me = await meOf(await signIn(service.baseUrl, email, output));
      expect(me.data).toMatchObject({ role: 'owner', permissions: ['*'] });
    }
    expect(await resets()).toHaveLength(2);
  });

  it('asks which one of several owners, and changes nothing', async () => {
    const owners = [
      await service.createPerson({ role: 'owner' }),
      await service.createPerson({ role: 'owner' }),
    ];
    const { code, output, errors } = await run('reset');
    expect([code, output]).toEqual([1, '']);
    for (const { email, cookie } of owners) {
      expect(errors).toContain(email);
      expect((await meOf(cookie)).status).toBe(200);
    }
  });

  it('explains in one line what is wrong with its options, settings and database', async () => {
    expect(await run('reset', '--email', 'nobody')).toEqual({
      code: 2,
      output: '',
      errors: expect.stringMatching(/^--email nobody is not an e-mail address\.\n/),
    });
    expect(await run('reset')).toMatchObject({
      code: 1,
      errors: expect.stringMatching(/^There is no owner: /),
    });
    const elsewhere = await startProgram('owner', { DATABASE_URL: 'postgres://127.0.0.1:1/none' }, [
      'reset',
    ]);
    expect(await elsewhere.ended).toBe(1);
    expect(elsewhere.stderr()).toMatch(
      /^The database cannot be used: connect ECONNREFUSED [^\n]*\n$/,
    );
  });
});

it('lists the owners and their state, and no other people', async () => {
  const owner = await service.createPerson({ role: 'owner', mustChangePassword: true });
  await service.createPerson({ role: 'viewer' });
  const { code, output } = await run('list');
  expect(code).toBe(0);
  expect(output).toMatch(
    /^owner-\d+@muster\.example, last signed in \S+, has a one-time password$/,
  );
  expect(output).toContain(owner.email);
});
