import type { Role } from '@muster/contract';
import { narrowToSandboxes } from '@muster/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AdminCaller } from '../../test/admin-caller.ts';
import { createAdminCaller } from '../../test/admin-caller.ts';
import type { TestService } from '../../test/test-service.ts';
import { startTestService } from '../../test/test-service.ts';

const SANDBOX = '2c0e8b1e-6d5f-4a37-9b63-0d7c1d5e8a11';
const OTHER = '2c0e8b1e-6d5f-4a37-9b63-0d7c1d5e8a12';
const VIEW = [
  'session:view',
  'player:view',
  'sandbox:config:view',
  'audit:view',
  'metrics:view',
  'people:view',
];

let service: TestService;
let owner: AdminCaller;
beforeAll(async () => {
  service = await startTestService();
  owner = as(await service.createPerson({ role: 'owner' }));
});
afterAll(() => service.close());

const as = ({ cookie }: { cookie: string }) => createAdminCaller(service.baseUrl, { cookie });
const asBearer = (token: string) =>
  createAdminCaller(service.baseUrl, { authorization: `Bearer ${token}` });
const nobody = () => createAdminCaller(service.baseUrl);

let made = 0;
/** Invites a newcomer and returns what the link grants. */
const invite = async (caller: AdminCaller, role: Role = 'viewer', more: object = {}) => {
  made += 1;
  const email = `newcomer-${made}@muster.example`;
  type Invited = { invitation_id: string; url: string };
  const { data, code } = await caller.mutate<Invited>('people.invite', { email, role, ...more });
  expect(code).toBeUndefined();
  return { email, invitation_id: data.invitation_id, token: data.url.split('#token=')[1] };
};
const accept = async ({ token }: { token: string | undefined }) => {
  const person = { token, name: 'New', password: 'a password of the newcomer' };
  return (await nobody().mutate('invitations.accept', person)).code ?? 'accepted';
};
const isListed = async ({ email }: { email: string }) => {
  const { data } = await owner.query<{ invitations: { email: string }[] }>('people.list');
  return data.invitations.some((each) => each.email === email);
};

/** A service account with one key that manages people and has the permissions of a viewer. */
const createManager = async () => {
  made += 1;
  const account = await owner.mutate<{ account_id: string }>('keys.createAccount', {
    name: `Manager ${made}`,
  });
  const { account_id } = account.data;
  const permissions = ['people:manage', ...VIEW];
  type Made = { key_id: string; key: string };
  const createKey = async (name: string, input: object = {}) =>
    (await owner.mutate<Made>('keys.create', { account_id, name, permissions, ...input })).data;
  const { key_id, key } = await createKey('first');
  return { account_id, key_id, createKey, caller: asBearer(key) };
};

it.each([
  ['is removed', (account_id: string) => owner.mutate('people.remove', { account_id })],
  [
    'is disabled',
    (account_id: string) => owner.mutate('people.setDisabled', { account_id, disabled: true }),
  ],
  [
    'is demoted',
    (account_id: string) => owner.mutate('people.setRole', { account_id, role: 'admin' }),
  ],
])('voids an invitation when the person who made it %s', async (_, change) => {
  const inviter = await service.createPerson({ role: 'owner' });
  const invitation = await invite(as(inviter));
  expect((await change(inviter.accountId)).status).toBe(200);
  expect(await isListed(invitation)).toBe(false);
  expect(await accept(invitation)).toBe('invitation_not_found');
});

it('grants nothing with an invitation that is stored after its maker lost the permissions', async () => {
  const inviter = await service.createPerson({ role: 'owner' });
  const late = [await invite(as(inviter)), await invite(as(inviter)), await invite(as(inviter))];
  const { prisma } = service.database;
  const where = { id: inviter.accountId };
  await prisma.accountUser.update({ where, data: { role: 'admin' } });
  expect(await accept(late[0] ?? { token: '' })).toBe('invitation_not_found');
  await prisma.accountUser.update({ where, data: { role: 'owner', disabledAt: new Date() } });
  expect(await accept(late[1] ?? { token: '' })).toBe('invitation_not_found');
  await prisma.accountUser.delete({ where });
  expect(await accept(late[2] ?? { token: '' })).toBe('invitation_not_found');
});

it('voids an invitation when its service account, or the last key that may invite, is removed', async () => {
  const removed = await createManager();
  const first = await invite(removed.caller);
  await owner.mutate('keys.removeAccount', { account_id: removed.account_id });
  expect(await isListed(first)).toBe(false);
  expect(await accept(first)).toBe('invitation_not_found');

  const revoked = await createManager();
  const second = await invite(revoked.caller);
  const other = await revoked.createKey('second');
  await owner.mutate('keys.revoke', { key_id: revoked.key_id });
  const seen = await nobody().mutate('invitations.get', { token: second.token });
  expect(seen.code).toBeUndefined();
  await revoked.createKey('weak', { permissions: ['people:manage'] });
  await owner.mutate('keys.revoke', { key_id: other.key_id });
  const gone = await nobody().mutate('invitations.get', { token: second.token });
  expect(gone.code).toBe('invitation_not_found');
  expect(await accept(second)).toBe('invitation_not_found');
});

it('accepts an invitation by a rotated key or by a token', async () => {
  const { caller, key_id } = await createManager();
  const first = await invite(caller);
  await owner.mutate('keys.rotate', { key_id });
  expect(await accept(first)).toBe('accepted');
  const permissions = ['people:manage', ...VIEW];
  const byToken = asBearer(await service.signToken({ sub: 'deployment', permissions }));
  expect(await accept(await invite(byToken))).toBe('accepted');
});

it('lets only callers with all its permissions revoke or replace an invitation', async () => {
  const permissions = narrowToSandboxes(VIEW, [SANDBOX]);
  const caller = asBearer(
    await service.signToken({ permissions: ['people:manage', ...permissions] }),
  );
  const narrow = { sandbox_ids: [SANDBOX] };
  for (const wider of [
    await invite(owner, 'viewer'),
    await invite(owner, 'viewer', { sandbox_ids: [SANDBOX, OTHER] }),
    await invite(owner, 'editor', narrow),
  ]) {
    const { invitation_id, email } = wider;
    const revoked = await caller.mutate('people.revokeInvitation', { invitation_id });
    expect(revoked.code).toBe('grant_beyond_permissions');
    const replaced = await caller.mutate('people.invite', { email, role: 'viewer', ...narrow });
    expect(replaced.code).toBe('grant_beyond_permissions');
    expect(await accept(wider)).toBe('accepted');
  }
  const { invitation_id } = await invite(owner, 'viewer', narrow);
  expect((await caller.mutate('people.revokeInvitation', { invitation_id })).status).toBe(200);
});
