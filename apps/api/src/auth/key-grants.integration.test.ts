import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AdminCaller } from '../../test/admin-caller.ts';
import { createAdminCaller } from '../../test/admin-caller.ts';
import type { TestService } from '../../test/test-service.ts';
import { startTestService } from '../../test/test-service.ts';

const SANDBOX = '2c0e8b1e-6d5f-4a37-9b63-0d7c1d5e8a11';
const OTHER = '2c0e8b1e-6d5f-4a37-9b63-0d7c1d5e8a12';

let service: TestService;
let owner: AdminCaller;
let narrowed: AdminCaller;
beforeAll(async () => {
  service = await startTestService();
  owner = createAdminCaller(service.baseUrl, await service.createPerson({ role: 'owner' }));
  const admin = await service.createPerson({ role: 'admin', sandboxIds: [SANDBOX] });
  narrowed = createAdminCaller(service.baseUrl, admin);
});
afterAll(() => service.close());

let made = 0;
const createAccount = async (name: string, caller = owner) => {
  const made = await caller.mutate<{ account_id: string }>('keys.createAccount', { name });
  return made.data.account_id;
};
type Made = { key_id: string; prefix: string; key: string };
const createKey = async (account_id: string, permissions: string[], more: object = {}) => {
  const input = { account_id, name: 'A key', permissions, ...more };
  return (await owner.mutate<Made>('keys.create', input)).data;
};
type Listed = {
  account_id: string;
  hidden_keys?: number;
  keys: { key_id: string; sandbox_ids?: string[] }[];
};
const list = async (caller: AdminCaller, account_id: string) => {
  const { data } = await caller.query<{ service_accounts: Listed[] }>('keys.list');
  return data.service_accounts.find((account) => account.account_id === account_id);
};

/** Keys with permissions that an admin of one sandbox lacks. */
const WIDER: [string, string[], object?][] = [
  ['every sandbox', ['sandbox:config:view']],
  ['another sandbox', ['sandbox:config:view'], { sandbox_ids: [OTHER] }],
  ['one sandbox more', ['sandbox:config:view'], { sandbox_ids: [SANDBOX, OTHER] }],
  ['the audit trail of every sandbox', ['audit:view']],
  ['the audit trail of another sandbox', ['audit:view'], { sandbox_ids: [SANDBOX, OTHER] }],
  ['the chains of every sandbox', ['metrics:view']],
  ['people', ['people:manage']],
  ['everything', ['*']],
];

it.each(WIDER)(
  'prevents a narrowed admin from seeing, rotating, revoking or removing a key for %s',
  async (reach, permissions, more) => {
    const account_id = await createAccount(`Backend for ${reach}`);
    const { key_id, prefix } = await createKey(account_id, permissions, more);
    const own = await createKey(account_id, ['sandbox:*'], { sandbox_ids: [SANDBOX] });

    const shown = await list(narrowed, account_id);
    expect(shown).toMatchObject({ hidden_keys: 1, keys: [{ key_id: own.key_id }] });
    expect(JSON.stringify(shown)).not.toContain(prefix);
    for (const [procedure, input] of [
      ['keys.rotate', { key_id }],
      ['keys.revoke', { key_id }],
      ['keys.removeAccount', { account_id }],
    ] as const) {
      const { code } = await narrowed.mutate(procedure, input);
      expect([procedure, code]).toEqual([procedure, 'grant_beyond_permissions']);
    }
    const all = await list(owner, account_id);
    expect(all?.keys).toHaveLength(2);
    expect(all).not.toHaveProperty('hidden_keys');

    expect((await narrowed.mutate('keys.revoke', { key_id: own.key_id })).status).toBe(200);
    // Without working keys the account is judged by its maker.
    await owner.mutate('keys.revoke', { key_id });
    const { code } = await narrowed.mutate('keys.removeAccount', { account_id });
    expect(code).toBe('grant_beyond_permissions');
    expect((await owner.mutate('keys.removeAccount', { account_id })).status).toBe(200);
  },
);

it('lets a narrowed admin remove accounts made by callers with no more permissions', async () => {
  const colleague = await service.createPerson({ role: 'admin', sandboxIds: [SANDBOX] });
  for (const maker of [narrowed, createAdminCaller(service.baseUrl, colleague)]) {
    made += 1;
    const account_id = await createAccount(`Made by a narrowed admin ${made}`, maker);
    const { key_id } = await createKey(account_id, ['sandbox:config:view']);
    expect((await narrowed.mutate('keys.removeAccount', { account_id })).code).toBe(
      'grant_beyond_permissions',
    );
    // Ended keys grant nothing.
    await owner.mutate('keys.revoke', { key_id });
    expect((await narrowed.mutate('keys.removeAccount', { account_id })).status).toBe(200);
  }
});

it('shows a narrowed admin only their own sandboxes of a key', async () => {
  const account_id = await createAccount('Of two sandboxes', narrowed);
  const scopes = [[SANDBOX, OTHER], [OTHER], undefined];
  for (const sandbox_ids of scopes) await createKey(account_id, ['session:view'], { sandbox_ids });
  const shownTo = async (caller: AdminCaller) =>
    (await list(caller, account_id))?.keys.map(({ sandbox_ids }) => sandbox_ids).toReversed();
  expect(await shownTo(narrowed)).toEqual([[SANDBOX], [], undefined]);
  expect(await shownTo(owner)).toEqual(scopes);
  const [, wide] = (await list(narrowed, account_id))?.keys ?? [];
  const rotated = await narrowed.mutate('keys.rotate', { key_id: wide?.key_id });
  expect(rotated.data).toMatchObject({ sandbox_ids: [] });
});

it('prevents a key for sandboxes from seeing and changing people', async () => {
  const account_id = await createAccount('Of people in a sandbox');
  const permissions = ['people:manage', 'people:view'];
  const { key } = await createKey(account_id, permissions, { sandbox_ids: [SANDBOX] });
  const caller = createAdminCaller(service.baseUrl, { authorization: `Bearer ${key}` });
  expect((await caller.query('people.list')).code).toBe('insufficient_permissions');
  const { accountId } = await service.createPerson({ role: 'viewer', sandboxIds: [SANDBOX] });
  const removed = await caller.mutate('people.remove', { account_id: accountId });
  expect(removed.code).toBe('insufficient_permissions');
});

it.each([
  ['audit:view', undefined, 'grant_beyond_permissions'],
  ['audit:view', [OTHER], 'grant_beyond_permissions'],
  ['audit:view', [SANDBOX], undefined],
  ['metrics:view', undefined, 'grant_beyond_permissions'],
  ['session:view', undefined, undefined],
])(
  'answers a narrowed admin who grants %s for the sandboxes %j with %s',
  async (permission, ids, code) => {
    const account_id = await createAccount(`With ${permission} in ${ids?.[0]}`, narrowed);
    const made = await narrowed.mutate('keys.create', {
      account_id,
      name: 'x',
      permissions: [permission],
      ...(ids && { sandbox_ids: ids }),
    });
    expect(made.code).toBe(code);
  },
);

const OWN = { permissions: ['sandbox:config:view'], sandbox_ids: [SANDBOX] };

it('requires the permissions of the maker of an account for a new key', async () => {
  const account_id = await createAccount('The backend of the owner');
  const input = { account_id, name: 'mine', ...OWN };
  expect((await narrowed.mutate('keys.create', input)).code).toBe('grant_beyond_permissions');
  const { key_id } = await createKey(account_id, OWN.permissions, { sandbox_ids: [SANDBOX] });
  expect((await narrowed.mutate('keys.rotate', { key_id })).code).toBe('grant_beyond_permissions');
  // Fewer permissions suffice when the maker has fewer than the caller.
  const modest = await createAccount('The backend of an admin', narrowed);
  const made = await owner.mutate<Made>('keys.create', { ...input, account_id: modest });
  expect(made.status).toBe(200);
  const rotated = await narrowed.mutate('keys.rotate', { key_id: made.data.key_id });
  expect(rotated.status).toBe(200);
});

it('requires the permissions of the existing keys for a new key, also from the maker of the account', async () => {
  const account_id = await createAccount('A backend that has grown', narrowed);
  const { key_id } = await createKey(account_id, ['sandbox:config:view']);
  const input = { account_id, name: 'mine', ...OWN };
  expect((await narrowed.mutate('keys.create', input)).code).toBe('grant_beyond_permissions');
  expect((await owner.mutate('keys.create', input)).status).toBe(200);
  await owner.mutate('keys.revoke', { key_id });
  expect((await narrowed.mutate('keys.create', input)).status).toBe(200);
});

it('requires the permissions of the keys of a service account that made the account', async () => {
  const maker = await createAccount('A maker');
  const key = await createKey(maker, ['key:manage', 'sandbox:config:view']);
  const asMaker = createAdminCaller(service.baseUrl, {
    authorization: `Bearer ${key.key}`,
  });
  const account_id = await createAccount('Made by a service', asMaker);
  const input = { account_id, name: 'mine', ...OWN };
  expect((await narrowed.mutate('keys.create', input)).code).toBe('grant_beyond_permissions');
  expect((await asMaker.mutate('keys.create', input)).status).toBe(200);
});

it('does not remove an account while a key with more permissions is made', async () => {
  for (let round = 0; round < 5; round += 1) {
    const account_id = await createAccount(`Race ${round}`);
    const [removed, made] = await Promise.all([
      narrowed.mutate('keys.removeAccount', { account_id }),
      owner.mutate('keys.create', { account_id, name: 'wide', permissions: ['*'] }),
    ]);
    const outcome = [removed.code ?? 'removed', made.code ?? 'made'];
    expect([
      ['removed', 'service_account_not_found'],
      ['grant_beyond_permissions', 'made'],
    ]).toContainEqual(outcome);
  }
});
