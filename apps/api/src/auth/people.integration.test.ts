import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AdminCaller } from '../../test/admin-caller.ts';
import { createAdminCaller } from '../../test/admin-caller.ts';
import { sendRaw } from '../../test/raw-client.ts';
import type { SignedInPerson, TestService } from '../../test/test-service.ts';
import { signIn, startTestService } from '../../test/test-service.ts';

const SANDBOX = '2c0e8b1e-6d5f-4a37-9b63-0d7c1d5e8a11';
const PASSWORD = 'a password of the newcomer';

let service: TestService;
let owner: SignedInPerson;
let admin: AdminCaller;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());
beforeEach(async () => {
  await service.database.prisma.accountUser.deleteMany();
  await service.database.prisma.accountInvitation.deleteMany();
  await service.database.prisma.auditRecord.deleteMany();
  owner = await service.createPerson({ role: 'owner' });
  admin = as(owner);
});

const as = ({ cookie }: { cookie: string }) => createAdminCaller(service.baseUrl, { cookie });
const nobody = () => createAdminCaller(service.baseUrl);
const withPermissions = async (...permissions: string[]) =>
  createAdminCaller(service.baseUrl, {
    authorization: `Bearer ${await service.signToken({ permissions })}`,
  });
const listActions = async (prefix: string) => {
  const found = await service.database.prisma.auditRecord.findMany({
    where: { action: { startsWith: prefix } },
    orderBy: { auditId: 'asc' },
  });
  return found.map(({ action }) => action);
};

type Invited = { invitation_id: string; url: string; expires: string };
const invite = async (email: string, role = 'editor', more: object = {}) => {
  const { data } = await admin.mutate<Invited>('people.invite', { email, role, ...more });
  return { ...data, token: data.url.split('#token=')[1] };
};

describe('an invitation', () => {
  it('makes one person, who signs in with the chosen password and the invited role', async () => {
    const { url, token, expires } = await invite('New@Muster.example', 'viewer', {
      sandbox_ids: [SANDBOX],
    });
    expect(url).toBe(`${service.baseUrl}/invite#token=${token}`);
    expect(Date.parse(expires)).toBeGreaterThan(Date.now() + 6.9 * 86_400_000);
    expect((await nobody().mutate('invitations.get', { token })).data).toMatchObject({
      email: 'new@muster.example',
      role: 'viewer',
    });
    const accept = { token, name: 'New Person', password: PASSWORD };
    for (const password of ['password1234', 'new@muster.example', 'New-Person-2026']) {
      const refused = await nobody().mutate('invitations.accept', { ...accept, password });
      expect(refused.code).toBe('password_unfit');
    }
    // A failure counts for the address, which the other tests of this file also use.
    await service.database.prisma.accountThrottle.deleteMany();
    expect((await nobody().mutate('invitations.accept', accept)).data).toEqual({
      email: 'new@muster.example',
    });
    const cookie = await signIn(service.baseUrl, 'new@muster.example', PASSWORD);
    expect((await as({ cookie }).query('me.get')).data).toMatchObject({
      name: 'New Person',
      role: 'viewer',
      sandbox_ids: [SANDBOX],
      permissions: expect.arrayContaining([`sandbox:${SANDBOX}:config:view`]),
    });
    expect(await listActions('')).toEqual(
      expect.arrayContaining(['people.invite', 'invitations.accept']),
    );
  });

  it('leads to the address that the service listens on, or to PUBLIC_URL, never to a Host of the request', async () => {
    const inviteWithHost = async (baseUrl: string, origin: string) => {
      const body = JSON.stringify({ email: 'link@muster.example', role: 'viewer' });
      const lines = [
        'POST /admin/trpc/people.invite HTTP/1.1',
        'Host: evil.example',
        `Origin: ${origin}`,
        'X-Forwarded-Host: evil.example',
        'Forwarded: host=evil.example',
        'Connection: close',
        `Cookie: ${owner.cookie}`,
        'Content-Type: application/json',
        `Content-Length: ${body.length}`,
      ];
      const answer = await sendRaw(baseUrl, `${lines.join('\r\n')}\r\n\r\n${body}`);
      return /"url":"([^"]+)"/.exec(answer.body)?.[1] ?? answer.body;
    };
    const { baseUrl, databaseUrl } = service;
    const link = await inviteWithHost(baseUrl, 'http://evil.example');
    expect(link.startsWith(`${baseUrl}/invite#token=`)).toBe(true);
    const env = { PUBLIC_URL: 'http://localhost:3000', TRUST_PROXY: '1' };
    const proxied = await startTestService({ databaseUrl, env });
    const publicLink = await inviteWithHost(proxied.baseUrl, env.PUBLIC_URL);
    expect(publicLink.startsWith('http://localhost:3000/invite#token=')).toBe(true);
    await proxied.close();
  });

  it('is found however many wrong links strangers behind the same address have tried', async () => {
    const { token } = await invite('found@muster.example');
    const wrong = 'x'.repeat(43);
    const codes: (string | undefined)[] = [];
    for (let count = 0; count < 31; count += 1) {
      codes.push((await nobody().mutate('invitations.get', { token: wrong })).code);
    }
    expect(codes.slice(-2)).toEqual(['invitation_not_found', 'rate_limited']);
    expect((await nobody().mutate('invitations.get', { token })).status).toBe(200);
    await service.database.prisma.accountThrottle.deleteMany();
  });

  it('works once, however many use it at the same moment', async () => {
    const { token } = await invite('race@muster.example');
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, index) =>
        nobody().mutate('invitations.accept', {
          token,
          name: `Runner ${index}`,
          password: PASSWORD,
        }),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404, 404, 404, 404, 404]);
    const again = await nobody().mutate('invitations.get', { token });
    expect(again.code).toBe('invitation_not_found');
  });

  it('ends when it is revoked, replaced, expired, or when its author loses standing', async () => {
    const revoked = await invite('a@muster.example');
    await admin.mutate('people.revokeInvitation', { invitation_id: revoked.invitation_id });
    const replaced = await invite('b@muster.example');
    await invite('b@muster.example');
    const expired = await invite('c@muster.example');
    await service.database.prisma.accountInvitation.update({
      where: { invitationId: expired.invitation_id },
      data: { expiresAt: new Date(Date.now() - 1) },
    });
    const other = await service.createPerson({ role: 'owner' });
    const { data } = await as(other).mutate<Invited>('people.invite', {
      email: 'd@muster.example',
      role: 'owner',
    });
    await admin.mutate('people.setRole', { account_id: other.accountId, role: 'viewer' });
    const tokens = [revoked.token, replaced.token, expired.token, data.url.split('#token=')[1]];
    for (const token of tokens) {
      expect((await nobody().mutate('invitations.get', { token })).code).toBe(
        'invitation_not_found',
      );
    }
  });

  it('is stored as a digest, and is in no record', async () => {
    const { token } = await invite('secret@muster.example');
    const { prisma } = service.database;
    const everything = JSON.stringify([
      await prisma.accountInvitation.findMany(),
      await prisma.auditRecord.findMany(),
      (await admin.query('people.list')).data,
    ]);
    expect(everything).not.toContain(token);
  });

  it('is refused for an existing person, for more than the inviter holds, for a narrowed owner, and for letters beyond ASCII', async () => {
    const known = { email: owner.email, role: 'viewer' };
    expect((await admin.mutate('people.invite', known)).code).toBe('person_exists');
    const manager = await withPermissions('people:manage', 'sandbox:config:view');
    const beyond = { email: 'x@muster.example', role: 'viewer' };
    expect((await manager.mutate('people.invite', beyond)).code).toBe('grant_beyond_permissions');
    const narrowed = { email: 'x@muster.example', role: 'owner', sandbox_ids: [SANDBOX] };
    expect((await admin.mutate('people.invite', narrowed)).code).toBe('owner_not_narrowed');
    // U+212A KELVIN SIGN, which becomes the letter k in lower case.
    const similar = { email: '\u212a@muster.example', role: 'viewer' };
    expect((await admin.mutate('people.invite', similar)).status).toBe(400);
    expect(await listActions('people.')).toEqual([]);
  });
});

describe('a change of a person', () => {
  it('is felt with the next request: role, sandboxes, disabling, removal', async () => {
    const editor = await service.createPerson({ role: 'editor' });
    const asked = as(editor);
    const { accountId: account_id } = editor;
    await admin.mutate('people.setRole', { account_id, role: 'viewer', sandbox_ids: [SANDBOX] });
    expect((await asked.query('me.get')).data).toMatchObject({
      role: 'viewer',
      sandbox_ids: [SANDBOX],
    });
    await admin.mutate('people.setDisabled', { account_id, disabled: true });
    expect((await asked.query('me.get')).code).toBe('auth_session_ended');
    await expect(signIn(service.baseUrl, editor.email, editor.password)).rejects.toThrow(
      'sign_in_refused',
    );
    await admin.mutate('people.setDisabled', { account_id, disabled: false });
    const back = as({ cookie: await signIn(service.baseUrl, editor.email, editor.password) });
    expect((await back.query('me.get')).status).toBe(200);
    await admin.mutate('people.remove', { account_id });
    expect((await back.query('me.get')).code).toBe('auth_session_ended');
    expect(await listActions('people.')).toEqual([
      'people.setRole',
      'people.setDisabled',
      'people.setDisabled',
      'people.remove',
    ]);
    const names = await admin.query('accounts.names', { account_ids: [account_id, 'unknown'] });
    expect(names.data).toEqual({
      accounts: [{ account_id, name: 'The editor', kind: 'person' }],
    });
  });

  it('leaves the keys that the person made as they are, and the list of people counts their accounts', async () => {
    const maker = await service.createPerson({ role: 'admin' });
    const { accountId: account_id } = maker;
    const makeKey = async (name: string) => {
      const made = await as(maker).mutate<{ account_id: string }>('keys.createAccount', { name });
      const input = {
        account_id: made.data.account_id,
        name: 'A key',
        permissions: ['session:view'],
      };
      return (await as(maker).mutate<{ key: string; key_id: string }>('keys.create', input)).data;
    };
    const { key } = await makeKey('Backend of a maker');
    await makeKey('Another one');
    const revoked = await makeKey('Without a working key');
    await as(maker).mutate('keys.revoke', { key_id: revoked.key_id });
    const listed = async () => {
      const { data } = await admin.query<{ people: { account_id: string }[] }>('people.list');
      return data.people.find((person) => person.account_id === account_id);
    };
    expect(await listed()).toMatchObject({ service_accounts: 2 });
    await admin.mutate('people.setRole', { account_id, role: 'viewer' });
    await admin.mutate('people.setDisabled', { account_id, disabled: true });
    expect(await listed()).toMatchObject({ service_accounts: 2, disabled: true });
    await admin.mutate('people.remove', { account_id });
    const backend = createAdminCaller(service.baseUrl, { authorization: `Bearer ${key}` });
    expect((await backend.query('me.get')).status).toBe(200);
  });

  it('is known by name only to those who may view people, and to themselves', async () => {
    const viewer = await service.createPerson({ role: 'viewer', name: 'Vi' });
    const narrowed = await service.createPerson({
      role: 'admin',
      sandboxIds: [SANDBOX],
      name: 'Na',
    });
    const account_ids = [viewer.accountId, narrowed.accountId];
    const namesFor = async (caller: AdminCaller) => {
      type Names = { accounts: { name: string }[] };
      const { data } = await caller.query<Names>('accounts.names', { account_ids });
      return data.accounts.map(({ name }) => name).toSorted();
    };
    expect(await namesFor(as(viewer))).toEqual(['Na', 'Vi']);
    expect(await namesFor(as(narrowed))).toEqual(['Na']);
    expect(await namesFor(await withPermissions('session:update-player:self'))).toEqual([]);
    expect(await namesFor(await withPermissions('people:view'))).toEqual(['Na', 'Vi']);
  });

  it('with a narrowed role knows the authors of versions in these sandboxes, and no other people', async () => {
    const author = await service.createPerson({ role: 'admin', name: 'Au' });
    const stranger = await service.createPerson({ role: 'admin', name: 'St' });
    const narrowed = await service.createPerson({
      role: 'editor',
      sandboxIds: [SANDBOX],
      name: 'Na',
    });
    const OTHER = crypto.randomUUID();
    for (const [person, sandbox_id] of [
      [author, SANDBOX],
      [stranger, OTHER],
    ] as const) {
      await as(person).mutate('sandboxes.create', { sandbox_id, name: 'Authors' });
      const item = { sandbox_id, name: 'Axe', item_type: 'unit' };
      expect((await as(person).mutate('items.create', item)).status).toBe(200);
    }
    const account_ids = [author.accountId, stranger.accountId];
    const namesFor = async (caller: AdminCaller) =>
      (await caller.query<{ accounts: object[] }>('accounts.names', { account_ids })).data.accounts;
    expect(await namesFor(as(narrowed))).toEqual([
      { account_id: author.accountId, name: 'Au', kind: 'person' },
    ]);
    expect(await namesFor(await withPermissions(`sandbox:${SANDBOX}:config:view`))).toEqual([]);
  });

  it('that changes nothing leaves no record', async () => {
    const viewer = await service.createPerson({ role: 'viewer' });
    await admin.mutate('people.setRole', { account_id: viewer.accountId, role: 'viewer' });
    await admin.mutate('people.setDisabled', { account_id: viewer.accountId, disabled: false });
    await admin.mutate('people.resetTwoFactor', { account_id: viewer.accountId });
    expect(await listActions('people.')).toEqual([]);
  });

  it('gives a one-time password once, which must be changed', async () => {
    const editor = await service.createPerson({ role: 'editor' });
    const reset = await admin.mutate<{ one_time_password: string }>('people.resetPassword', {
      account_id: editor.accountId,
    });
    const password = reset.data.one_time_password;
    expect(password).toMatch(/^([A-Za-z2-9]{5}-){3}[A-Za-z2-9]{5}$/);
    expect((await as(editor).query('me.get')).code).toBe('auth_session_ended');
    const cookie = await signIn(service.baseUrl, editor.email, password);
    expect((await as({ cookie }).query('me.get')).data).toMatchObject({
      must_change_password: true,
    });
    const records = await service.database.prisma.auditRecord.findMany();
    expect(JSON.stringify(records)).not.toContain(password);
  });

  it('is refused to callers who hold less than that person', async () => {
    const manager = await withPermissions('people:manage');
    for (const name of ['people.resetPassword', 'people.remove', 'people.resetTwoFactor']) {
      const answer = await manager.mutate(name, { account_id: owner.accountId });
      expect([name, answer.code]).toEqual([name, 'grant_beyond_permissions']);
    }
    const role = { account_id: owner.accountId, role: 'viewer' };
    expect((await manager.mutate('people.setRole', role)).code).toBe('grant_beyond_permissions');
  });

  it('is refused for the own account and for an unknown person', async () => {
    await service.createPerson({ role: 'owner' });
    const self = { account_id: owner.accountId };
    expect((await admin.mutate('people.remove', self)).code).toBe('own_account');
    const off = await admin.mutate('people.setDisabled', { ...self, disabled: true });
    expect(off.code).toBe('own_account');
    for (const name of ['people.resetPassword', 'people.resetTwoFactor']) {
      expect([name, (await admin.mutate(name, self)).code]).toEqual([name, 'own_account']);
    }
    const nowhere = await admin.mutate('people.remove', { account_id: 'nobody' });
    expect(nowhere.code).toBe('person_not_found');
  });
});

describe('the last owner', () => {
  it('can be neither demoted, nor disabled, nor removed', async () => {
    const everything = await withPermissions('*');
    const { accountId: account_id } = owner;
    const answers = [
      await everything.mutate('people.setRole', { account_id, role: 'admin' }),
      await everything.mutate('people.setDisabled', { account_id, disabled: true }),
      await everything.mutate('people.remove', { account_id }),
      await admin.mutate('people.setRole', { account_id, role: 'admin' }),
    ];
    expect(answers.map(({ code }) => code)).toEqual(Array(4).fill('last_owner'));
  });

  it('is not one who is disabled', async () => {
    const other = await service.createPerson({ role: 'owner' });
    await admin.mutate('people.setDisabled', { account_id: other.accountId, disabled: true });
    const role = { account_id: owner.accountId, role: 'admin' };
    expect((await admin.mutate('people.setRole', role)).code).toBe('last_owner');
  });

  it('remains when two owners demote each other at once', async () => {
    for (let round = 0; round < 5; round += 1) {
      await service.database.prisma.accountUser.deleteMany();
      const one = await service.createPerson({ role: 'owner' });
      const two = await service.createPerson({ role: 'owner' });
      await Promise.all([
        as(one).mutate('people.setRole', { account_id: two.accountId, role: 'viewer' }),
        as(two).mutate('people.setRole', { account_id: one.accountId, role: 'viewer' }),
      ]);
      expect(await service.database.prisma.accountUser.count({ where: { role: 'owner' } })).toBe(1);
    }
  });
});

it('lists no more people and invitations than one answer may hold', async () => {
  const sandboxIds = Array<string>(100).fill(SANDBOX);
  const far = new Date('2099-01-01T00:00:00Z');
  const many = Array.from({ length: 1_000 }, (_, index) => `${index}@${'m'.repeat(200)}.example`);
  await service.database.prisma.accountUser.createMany({
    data: many.map((email) => ({ id: email, email, name: 'ž'.repeat(128), sandboxIds })),
  });
  await service.database.prisma.accountInvitation.createMany({
    data: many.map((email) => ({
      email,
      role: 'viewer',
      sandboxIds,
      invitedBy: owner.accountId,
      invitationId: crypto.randomUUID(),
      tokenDigest: Buffer.from(email.slice(0, 32)),
      createdAt: far,
      expiresAt: far,
    })),
  });
  type Listed = { people: object[]; invitations: object[] };
  const { data } = await admin.query<Listed>('people.list');
  const longest = 2 * 1_048_576 + 5_000;
  for (const listed of [data.people, data.invitations]) {
    expect(listed.length).toBeGreaterThan(400);
    expect(Buffer.byteLength(JSON.stringify(listed))).toBeLessThan(longest);
  }
});
