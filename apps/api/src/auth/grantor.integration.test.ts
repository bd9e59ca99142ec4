import type { Prisma } from '@muster/database';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AdminAnswer, AdminCaller } from '../../test/admin-caller.ts';
import { createAdminCaller } from '../../test/admin-caller.ts';
import type { TestService } from '../../test/test-service.ts';
import { startTestService } from '../../test/test-service.ts';
import { lockAccounts } from './person-store.ts';

let service: TestService;
/** Another process on the same database. */
let second: TestService;
let owner: AdminCaller;
let account_id: string;
let key_id: string;
beforeAll(async () => {
  service = await startTestService();
  second = await startTestService({ databaseUrl: service.databaseUrl });
  owner = as(await service.createPerson({ role: 'owner' }));
});
afterAll(async () => {
  await second.close();
  await service.close();
});

const as = ({ cookie }: { cookie: string }) => createAdminCaller(service.baseUrl, { cookie });
const asKey = (key: string, { baseUrl } = service) =>
  createAdminCaller(baseUrl, { authorization: `Bearer ${key}` });

type Key = { key_id: string; key: string };
let made = 0;
const createAccount = async (caller = owner) => {
  made += 1;
  const input = { name: `Account ${made}` };
  return (await caller.mutate<{ account_id: string }>('keys.createAccount', input)).data.account_id;
};
const createKey = async (account: string, permissions: string[]) =>
  (await owner.mutate<Key>('keys.create', { account_id: account, name: 'A key', permissions }))
    .data;

/** One call of each kind that grants or takes away permissions, on people and keys that the caller covers. */
const CHANGES: [string, () => object | Promise<object>][] = [
  ['people.invite', () => ({ email: `new-${made}@muster.example`, role: 'viewer' })],
  ['people.setRole', async () => ({ ...(await newPerson()), role: 'editor' })],
  ['people.setDisabled', async () => ({ ...(await newPerson()), disabled: true })],
  ['people.remove', () => newPerson()],
  ['people.resetPassword', () => newPerson()],
  ['people.removeIdentity', () => newIdentity()],
  ['keys.createAccount', () => ({ name: `Late ${made}` })],
  ['keys.create', () => ({ account_id, name: 'late', permissions: ['session:view'] })],
  ['keys.rotate', () => ({ key_id })],
  ['keys.revoke', () => ({ key_id })],
  ['keys.removeAccount', () => ({ account_id })],
];
const newPerson = async () => {
  const { accountId } = await service.createPerson({ role: 'viewer' });
  return { account_id: accountId };
};
const newIdentity = async () => {
  const { account_id } = await newPerson();
  const { id: identity_id } = await service.database.prisma.accountLogin.create({
    data: {
      id: crypto.randomUUID(),
      providerId: 'oidc',
      accountId: crypto.randomUUID(),
      userId: account_id,
    },
  });
  return { account_id, identity_id };
};
beforeEach(async () => {
  account_id = await createAccount();
  ({ key_id } = await createKey(account_id, ['session:view']));
});

/** A busy machine needs longer than the defaults of Vitest and Prisma. */
const PATIENT = { timeout: 20_000 };

/** Starts the change, withdraws permissions while it waits for the lock, and returns how the change ended. */
const withdrawDuring = async (
  change: () => Promise<AdminAnswer<unknown>>,
  withdraw: (transaction: Prisma.TransactionClient) => Promise<unknown>,
) => {
  const { answer } = await service.database.prisma.$transaction(async (transaction) => {
    await lockAccounts(transaction);
    let isDone = false;
    const answer = change().finally(() => {
      isDone = true;
    });
    const isWaiting = async () => {
      const { rows } = await service.database.pool.query(
        `SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
           AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
      );
      return isDone || rows.length > 0;
    };
    await expect.poll(isWaiting, PATIENT).toBe(true);
    await withdraw(transaction);
    return { answer };
  }, PATIENT);
  return (await answer).code;
};

describe.each(CHANGES)('%s', (procedure, input) => {
  it('is refused when the person is given a lower role while it waits', async () => {
    const person = await service.createPerson({ role: 'owner' });
    const asked = await input();
    const code = await withdrawDuring(
      () => as(person).mutate(procedure, asked),
      ({ accountUser }) =>
        accountUser.update({ where: { id: person.accountId }, data: { role: 'editor' } }),
    );
    expect(code).toBe('insufficient_permissions');
  });

  it('is refused when another process has revoked the key and this process still has it cached', async () => {
    const strong = await createKey(await createAccount(), ['*']);
    const asked = await input();
    expect((await asKey(strong.key, second).query('me.get')).status).toBe(200);
    await owner.mutate('keys.revoke', { key_id: strong.key_id });
    const { code } = await asKey(strong.key, second).mutate(procedure, asked);
    expect(code).toBe('auth_token_unknown');
  });
});

const WITHDRAWN: [string, Prisma.AccountUserUpdateInput, string][] = [
  ['is disabled', { disabledAt: new Date() }, 'auth_session_ended'],
  ['is signed out', { sessions: { deleteMany: {} } }, 'auth_session_ended'],
  ['may give less', { role: 'admin' }, 'grant_beyond_permissions'],
];
it.each(WITHDRAWN)('refuses a new key when its maker %s while it waits', async (_, data, code) => {
  const person = await service.createPerson({ role: 'owner' });
  const input = { account_id, name: 'late', permissions: ['*'] };
  const ended = await withdrawDuring(
    () => as(person).mutate('keys.create', input),
    ({ accountUser }) => accountUser.update({ where: { id: person.accountId }, data }),
  );
  expect(ended).toBe(code);
});

it('refuses a new key when its maker is removed while it waits', async () => {
  const person = await service.createPerson({ role: 'owner' });
  const input = { account_id, name: 'late', permissions: ['session:view'] };
  const ended = await withdrawDuring(
    () => as(person).mutate('keys.create', input),
    ({ accountUser }) => accountUser.delete({ where: { id: person.accountId } }),
  );
  expect(ended).toBe('auth_session_ended');
});

it('makes a change by a person, a key and a token that have their permissions', async () => {
  const strong = await createKey(await createAccount(), ['key:manage', 'session:view']);
  const token = `Bearer ${await service.signToken({ permissions: ['key:manage', 'session:view'] })}`;
  for (const caller of [
    owner,
    asKey(strong.key),
    createAdminCaller(service.baseUrl, { authorization: token }),
  ]) {
    const input = { account_id: await createAccount(caller), name: 'x' };
    const { status } = await caller.mutate('keys.create', {
      ...input,
      permissions: ['session:view'],
    });
    expect(status).toBe(200);
  }
});

it('keeps one of two keys that revoke each other at the same moment', async () => {
  for (let round = 0; round < 5; round += 1) {
    const [one, two] = [
      await createKey(await createAccount(), ['key:manage']),
      await createKey(await createAccount(), ['key:manage']),
    ];
    const answers = await Promise.all([
      asKey(one.key).mutate('keys.revoke', { key_id: two.key_id }),
      asKey(two.key).mutate('keys.revoke', { key_id: one.key_id }),
    ]);
    const codes = answers.map(({ code }) => code ?? 'revoked').toSorted();
    expect(codes).toEqual(['auth_token_unknown', 'revoked']);
  }
});
