import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AdminCaller } from '../../test/admin-caller.ts';
import { createAdminCaller } from '../../test/admin-caller.ts';
import { BODY, ITEMS, JOIN, SANDBOX } from '../../test/public-client.ts';
import type { TestService } from '../../test/test-service.ts';
import { startTestService } from '../../test/test-service.ts';

const OTHER = '2c0e8b1e-6d5f-4a37-9b63-0d7c1d5e8a12';

let service: TestService;
let admin: AdminCaller;
let accountId: string;
beforeAll(async () => {
  service = await startTestService();
  admin = createAdminCaller(service.baseUrl, await service.createPerson({ role: 'owner' }));
  const made = await admin.mutate<{ account_id: string }>('keys.createAccount', {
    name: 'Backend',
  });
  accountId = made.data.account_id;
});
afterAll(() => service.close());

type Made = { key_id: string; key: string; prefix: string; created: string; expires?: string };
const createKey = async (permissions: string[], more: object = {}): Promise<Made> => {
  const input = { account_id: accountId, name: 'A key', permissions, ...more };
  return (await admin.mutate<Made>('keys.create', input)).data;
};
const send = async (path: string, key: string, init: RequestInit = {}, { baseUrl } = service) => {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const response = await fetch(baseUrl + path, { headers, ...init });
  const body = (await response.json()) as { error_code?: string; auth_success?: boolean };
  return { status: response.status, code: body.error_code, authSuccess: body.auth_success };
};
const asKey = (key: string, { baseUrl } = service) =>
  createAdminCaller(baseUrl, { authorization: `Bearer ${key}` });
const join = { method: 'POST', body: JSON.stringify(BODY) };

describe('an API key', () => {
  it('gives access to histories, joins and the admin API within its permissions', async () => {
    const { key, prefix } = await createKey(['sandbox:config:view', 'session:*']);
    expect(key).toMatch(/^msk_[A-Za-z0-9_-]{43}$/);
    expect(key.startsWith(prefix)).toBe(true);
    expect((await send(ITEMS, key)).status).toBe(200);
    expect(await send(JOIN, key, join)).toMatchObject({ code: 'platform_session_not_found' });
    expect((await asKey(key).query('me.get')).data).toMatchObject({
      account_id: accountId,
      kind: 'service',
    });
    expect((await asKey(key).query('people.list')).code).toBe('insufficient_permissions');
    const weak = await createKey(['metrics:view']);
    expect(await send(ITEMS, weak.key)).toMatchObject({ status: 403, authSuccess: true });
  });

  it('that is narrowed gives access to its sandboxes only', async () => {
    const { key } = await createKey(['sandbox:config:edit'], { sandbox_ids: [SANDBOX] });
    expect((await send(ITEMS, key)).status).toBe(200);
    const elsewhere = await send(ITEMS.replace(SANDBOX, OTHER), key);
    expect(elsewhere.code).toBe('insufficient_permissions');
    const star = { account_id: accountId, name: 'x', permissions: ['*'] };
    const narrowed = await admin.mutate('keys.create', { ...star, sandbox_ids: [SANDBOX] });
    expect(narrowed.code).toBe('input_invalid');
  });

  it('is shown once and stored as a digest', async () => {
    const { key, key_id } = await createKey(['session:view']);
    const { prisma } = service.database;
    const everything = JSON.stringify([
      await prisma.serviceKey.findMany(),
      await prisma.auditRecord.findMany(),
      (await admin.query('keys.list')).data,
    ]);
    expect(everything).toContain(key_id);
    expect(everything).not.toContain(key.slice(12));
  });

  it('that is unknown, malformed or changed by one letter is refused', async () => {
    const { key } = await createKey(['sandbox:config:view']);
    const last = key.at(-1) === 'A' ? 'B' : 'A';
    for (const wrong of ['msk_', 'msk_x', `${key}x`, key.slice(0, -1) + last, key.toUpperCase()]) {
      const answer = await send(ITEMS, wrong);
      expect([wrong, answer.status, answer.authSuccess]).toEqual([wrong, 403, false]);
    }
  });

  it('that is revoked is refused at once by this process and within five seconds by others', async () => {
    const second = await startTestService({ databaseUrl: service.databaseUrl });
    const { key, key_id } = await createKey(['sandbox:config:view']);
    expect((await send(ITEMS, key)).status).toBe(200);
    expect((await send(ITEMS, key, {}, second)).status).toBe(200);
    const revokedAt = Date.now();
    await admin.mutate('keys.revoke', { key_id });
    expect(await send(ITEMS, key)).toMatchObject({ code: 'auth_token_unknown' });
    let acceptedAt = revokedAt;
    for (;;) {
      const sentAt = Date.now();
      const { code } = await send(ITEMS, key, {}, second);
      if (code === 'auth_token_unknown') break;
      acceptedAt = sentAt;
    }
    expect(acceptedAt - revokedAt).toBeLessThan(5_000);
    await second.close();
  }, 15_000);

  it('ends when it expires', async () => {
    const { key, key_id, expires } = await createKey(['sandbox:config:view'], {
      expires_in_days: 30,
    });
    expect(Date.parse(expires ?? '') - Date.now()).toBeGreaterThan(29.9 * 86_400_000);
    await service.database.prisma.serviceKey.update({
      where: { keyId: key_id },
      data: { expiresAt: new Date(Date.now() - 1) },
    });
    expect(await send(ITEMS, key)).toMatchObject({ code: 'auth_token_expired' });
    expect((await admin.mutate('keys.rotate', { key_id })).code).toBe('key_revoked');
  });

  it('is rotated: the old key ends at once or after the grace period', async () => {
    const old = await createKey(['sandbox:config:view'], { sandbox_ids: [SANDBOX] });
    const next = await admin.mutate<Made>('keys.rotate', { key_id: old.key_id, grace_seconds: 60 });
    expect((await send(ITEMS, old.key)).status).toBe(200);
    expect((await send(ITEMS, next.data.key)).status).toBe(200);
    const elsewhere = await send(ITEMS.replace(SANDBOX, OTHER), next.data.key);
    expect(elsewhere.status).toBe(403);
    const last = await admin.mutate<Made>('keys.rotate', { key_id: next.data.key_id });
    expect((await send(ITEMS, next.data.key)).code).toBe('auth_token_unknown');
    expect((await send(ITEMS, last.data.key)).status).toBe(200);
  });

  it.each([
    [30, 30],
    [undefined, undefined],
  ])(
    'keeps its lifetime of %s days when it is rotated twice during the grace period',
    async (expires_in_days, days) => {
      const old = await createKey(['sandbox:config:view'], { expires_in_days });
      const rotate = async (key_id: string) => {
        const { data } = await admin.mutate<Made>('keys.rotate', { key_id, grace_seconds: 60 });
        const life = data.expires && Date.parse(data.expires) - Date.parse(data.created);
        return { ...data, days: life && life / 86_400_000 };
      };
      const first = await rotate(old.key_id);
      // The first response may have been lost, so the old key is rotated again. That also replaces its successor.
      const second = await rotate(old.key_id);
      const third = await rotate(second.key_id);
      const last = await rotate(old.key_id);
      expect([first, second, third, last].map((made) => made.days)).toEqual(Array(4).fill(days));
      expect((await send(ITEMS, old.key)).status).toBe(200);
    },
  );

  it('shows when it was last used, to the minute', async () => {
    const { key, key_id } = await createKey(['sandbox:config:view']);
    const readLastUse = async () => {
      const found = await service.database.prisma.serviceKey.findUnique({
        where: { keyId: key_id },
      });
      return found?.lastUsedAt;
    };
    expect(await readLastUse()).toBeNull();
    await send(ITEMS, key);
    await expect.poll(readLastUse).toBeInstanceOf(Date);
    const first = await readLastUse();
    for (let count = 0; count < 5; count += 1) await send(ITEMS, key);
    expect(await readLastUse()).toEqual(first);
  });

  it('accepts more than ten requests a day, the default limit of some libraries', async () => {
    const { key } = await createKey(['sandbox:config:view']);
    const statuses = await Promise.all(
      Array.from({ length: 50 }, async () => (await send(ITEMS, key)).status),
    );
    expect(new Set(statuses)).toEqual(new Set([200]));
  });
});

describe('a service account', () => {
  it('has at most 100 working keys, each of which can be rotated, and keeps at most 100 ended keys', async () => {
    const { data } = await admin.mutate<{ account_id: string }>('keys.createAccount', {
      name: 'Of many keys',
    });
    const input = {
      account_id: data.account_id,
      name: 'A key',
      permissions: ['session:view'],
    };
    const first = (await admin.mutate<Made>('keys.create', input)).data;
    const { prisma } = service.database;
    const where = { accountId: data.account_id };
    const row = await prisma.serviceKey.findUniqueOrThrow({ where: { keyId: first.key_id } });
    const more = (count: number, change: object) =>
      prisma.serviceKey.createMany({
        data: Array.from({ length: count }, () => ({
          ...row,
          keyId: randomUUID(),
          digest: randomBytes(32),
          ...change,
        })),
      });
    await more(99, {});
    await more(100, { revokedAt: new Date(1_000_000) });
    await more(20, { expiresAt: new Date(1_000) });
    expect(await admin.mutate('keys.create', input)).toMatchObject({
      status: 409,
      code: 'too_many_keys',
    });
    const graced = { key_id: first.key_id, grace_seconds: 60 };
    expect((await admin.mutate('keys.rotate', graced)).code).toBe('too_many_keys');
    expect(await prisma.serviceKey.count({ where })).toBe(220);
    const next = await admin.mutate<Made>('keys.rotate', { key_id: first.key_id });
    expect(next.status).toBe(200);
    // The oldest of the ended keys were deleted.
    expect(await prisma.serviceKey.count({ where })).toBe(200);
    expect(await prisma.serviceKey.count({ where: { ...where, revokedAt: null } })).toBe(100);
    await admin.mutate('keys.revoke', { key_id: next.data.key_id });
    expect((await admin.mutate('keys.create', input)).status).toBe(200);
    expect(await prisma.serviceKey.count({ where })).toBe(200);
  });

  it('keeps the ended keys that determine the lifetime of a new one', async () => {
    const old = await createKey(['session:view'], { expires_in_days: 30 });
    const rotate = async (key_id: string, grace_seconds: number) =>
      (await admin.mutate<Made>('keys.rotate', { key_id, grace_seconds })).data;
    let latest = await rotate(old.key_id, 3_600);
    for (let count = 0; count < 101; count += 1) latest = await rotate(latest.key_id, 0);
    await admin.mutate('keys.revoke', { key_id: latest.key_id });
    const other = await createKey(['session:view']);
    let newer = other;
    for (let count = 0; count < 101; count += 1) newer = await rotate(newer.key_id, 0);
    const again = await rotate(old.key_id, 3_600);
    const life = Date.parse(again.expires ?? '') - Date.parse(again.created);
    expect(life / 86_400_000).toBe(30);
  });
});

describe('during a database outage', () => {
  it('requests with a key are answered as an outage: 409 on a join, 503 elsewhere', async () => {
    const { key } = await createKey(['*']);
    const cut = await startTestService({ databaseUrl: 'postgres://127.0.0.1:1/away' });
    expect(await send(JOIN, key, join, cut)).toMatchObject({
      status: 409,
      code: 'service_overloaded',
      authSuccess: true,
    });
    expect(await send(ITEMS, key, {}, cut)).toMatchObject({
      status: 503,
      code: 'service_unavailable',
    });
    expect((await asKey(key, cut).query('me.get')).code).toBe('service_unavailable');
    const cookie = 'muster.session_token=a.b';
    const person = createAdminCaller(cut.baseUrl, { cookie });
    expect(['service_unavailable', 'auth_session_ended']).toContain(
      (await person.query('me.get')).code,
    );
    await cut.close();
  });
});

describe('an account that manages keys', () => {
  it('grants no permission that it lacks, and rotates no key that has more', async () => {
    const manager = createAdminCaller(
      service.baseUrl,
      await service.createPerson({ role: 'admin', sandboxIds: [SANDBOX] }),
    );
    const own = await manager.mutate<{ account_id: string }>('keys.createAccount', { name: 'Own' });
    const { account_id } = own.data;
    const make = (permissions: string[], more: object = {}) =>
      manager.mutate('keys.create', { account_id, name: 'x', permissions, ...more });
    expect((await make(['people:manage'])).code).toBe('grant_beyond_permissions');
    expect((await make(['sandbox:config:view'])).code).toBe('grant_beyond_permissions');
    const other = { sandbox_ids: [OTHER] };
    expect((await make(['sandbox:config:view'], other)).code).toBe('grant_beyond_permissions');
    expect((await make(['sandbox:*'], { sandbox_ids: [SANDBOX] })).status).toBe(200);
    const strong = await createKey(['*']);
    const rotated = await manager.mutate('keys.rotate', { key_id: strong.key_id });
    expect(rotated.code).toBe('grant_beyond_permissions');
  });

  it('leaves an audit record of each change, and none for calls without a change', async () => {
    await service.database.prisma.auditRecord.deleteMany();
    const made = await admin.mutate<{ account_id: string }>('keys.createAccount', { name: 'Bot' });
    const account = { account_id: made.data.account_id };
    const taken = await admin.mutate('keys.createAccount', { name: 'Bot' });
    expect(taken.code).toBe('service_account_exists');
    const key = await admin.mutate<Made>('keys.create', {
      ...account,
      name: 'k',
      permissions: ['session:view'],
    });
    const next = await admin.mutate<Made>('keys.rotate', { key_id: key.data.key_id });
    await admin.mutate('keys.revoke', { key_id: next.data.key_id });
    await admin.mutate('keys.revoke', { key_id: next.data.key_id });
    await admin.mutate('keys.removeAccount', account);
    expect((await admin.mutate('keys.removeAccount', account)).code).toBe(
      'service_account_not_found',
    );
    const records = await service.database.prisma.auditRecord.findMany({
      orderBy: { auditId: 'asc' },
    });
    expect(records.map(({ action }) => action)).toEqual(
      ['createAccount', 'create', 'rotate', 'revoke', 'removeAccount'].map(
        (name) => `keys.${name}`,
      ),
    );
    const names = await admin.query('accounts.names', { account_ids: [account.account_id] });
    expect(names.data).toEqual({ accounts: [{ ...account, name: 'Bot', kind: 'service' }] });
  });
});
