// The use of API keys: counted for each day, with the last refusals.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AdminCaller } from '../../test/admin-caller.ts';
import { createAdminCaller } from '../../test/admin-caller.ts';
import type { TestService } from '../../test/test-service.ts';
import { startTestService } from '../../test/test-service.ts';
import { createKeyUse } from './key-use.ts';
import { createKeyUseStore } from './key-use-store.ts';

let service: TestService;
let admin: AdminCaller;
beforeAll(async () => {
  service = await startTestService();
  admin = createAdminCaller(service.baseUrl, await service.createPerson({ role: 'owner' }));
});
afterAll(() => service.close());

const makeKey = async (name: string, permissions: string[]) => {
  const { data } = await admin.mutate<{ account_id: string }>('keys.createAccount', { name });
  const input = { account_id: data.account_id, name, permissions };
  return (await admin.mutate<{ key_id: string; key: string }>('keys.create', input)).data;
};

type Use = { days: { day: string; requests: number; refused: number }[]; last_refusals: object[] };

test('counts the requests of a key, and shows the last refused ones with their procedure', async () => {
  const { key_id, key } = await makeKey('Counted', ['session:view']);
  const caller = createAdminCaller(service.baseUrl, { authorization: `Bearer ${key}` });
  await caller.query('sessions.list');
  await caller.query('sessions.list');
  expect((await caller.query('keys.list')).code).toBe('insufficient_permissions');
  const read = async () => (await admin.query<Use>('keys.use', { key_id })).data;
  // A request is counted when its response has ended, which its client may see first.
  await expect.poll(async () => (await read()).days[0]?.requests).toBe(3);
  const { days, last_refusals } = await read();
  expect(days).toHaveLength(14);
  const today = new Date().toISOString().slice(0, 10);
  expect(days[0]).toEqual({ day: today, requests: 3, refused: 1 });
  expect(last_refusals).toEqual([
    {
      at: expect.any(String),
      error_code: 'insufficient_permissions',
      target: 'keys.list',
      request_id: expect.any(String),
    },
  ]);
});

test('adds up two processes, keeps the newest ten refusals, and deletes days after 30', async () => {
  const { key_id } = await makeKey('Shared', ['session:view']);
  let now = new Date('2026-03-01T12:00:00Z');
  const refuse = (error: unknown) => {
    throw error;
  };
  const open = () => createKeyUse(createKeyUseStore(service.database), () => now, refuse);
  const [one, two] = [open(), open()];
  const refusal = { error_code: 'session_not_found', target: 'sessions.get', request_id: 'r' };
  one.record(key_id);
  await one.flush();
  for (let n = 0; n < 8; n += 1) {
    now = new Date(now.getTime() + 1_000);
    one.record(key_id, refusal);
    two.record(key_id, refusal);
  }
  await Promise.all([one.flush(), two.flush()]);
  const { days, last_refusals } = await one.read(key_id);
  expect(days[0]).toEqual({ day: '2026-03-01', requests: 17, refused: 16 });
  expect(last_refusals).toHaveLength(10);
  expect(last_refusals[0]?.at).toBe('2026-03-01T12:00:08.000Z');
  now = new Date('2026-03-10T00:00:00Z');
  const later = await two.read(key_id);
  expect(later.days[9]).toEqual({ day: '2026-03-01', requests: 17, refused: 16 });
  now = new Date('2026-03-31T00:00:00Z');
  two.record(key_id);
  await two.flush();
  const { rows } = await service.database.pool.query<{ day: string }>(
    'SELECT day::text FROM service_key_day WHERE key_id = $1',
    [key_id],
  );
  expect(rows).toEqual([{ day: '2026-03-31' }]);
});

test('counts a request for its day when it is written after midnight', async () => {
  const { key_id } = await makeKey('Late', ['session:view']);
  let now = new Date('2026-03-01T23:59:30Z');
  const refuse = (error: unknown) => {
    throw error;
  };
  const use = createKeyUse(createKeyUseStore(service.database), () => now, refuse);
  use.record(key_id);
  now = new Date('2026-03-02T00:00:10Z');
  use.record(key_id);
  use.record(key_id);
  const { days } = await use.read(key_id);
  expect(days.slice(0, 2)).toEqual([
    { day: '2026-03-02', requests: 2, refused: 0 },
    { day: '2026-03-01', requests: 1, refused: 0 },
  ]);
});

test('shows no use of an unknown key, nor of one with more permissions than the caller', async () => {
  const unknown = { key_id: '00000000-0000-4000-8000-00000000dead' };
  expect((await admin.query('keys.use', unknown)).code).toBe('key_not_found');
  const { key_id } = await makeKey('Strong', ['session:view']);
  const manager = await makeKey('Manager', ['key:manage']);
  const weak = createAdminCaller(service.baseUrl, { authorization: `Bearer ${manager.key}` });
  expect((await weak.query('keys.use', { key_id })).code).toBe('grant_beyond_permissions');
});
