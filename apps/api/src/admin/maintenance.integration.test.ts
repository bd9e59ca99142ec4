// Maintenance, in two processes on one database.
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { AdminAnswer } from '../../test/admin-caller.ts';
import { createAdminCaller } from '../../test/admin-caller.ts';
import { seatPath } from '../../test/companion-client.ts';
import { BODY, createEdgeClient, joinPath } from '../../test/public-client.ts';
import { readMetric } from '../../test/read-metrics.ts';
import type { TestService } from '../../test/test-service.ts';
import { signIn, startTestService } from '../../test/test-service.ts';
import { createTransferClient } from '../../test/transfer-client.ts';

let service: TestService;
let other: TestService;
beforeAll(async () => {
  service = await startTestService();
  other = await startTestService({ databaseUrl: service.databaseUrl });
});
afterAll(async () => {
  await other.close();
  await service.close();
});

const callerOf = async (running: TestService, permissions = ['*']) => {
  const { authorization = '' } = await running.headers({ permissions });
  return createAdminCaller(running.baseUrl, { authorization });
};

type State = {
  enabled: boolean;
  since?: string;
  account_id?: string;
  reason?: string;
  retry_after_seconds?: number;
};

const set = async (input: object): Promise<AdminAnswer<State>> =>
  (await callerOf(service)).mutate<State>('maintenance.set', input);

const SANDBOX = randomUUID();
const SESSION = { type: 'duel', session_id: 'maintained' };
const PLAYER = randomUUID();
const PLATFORM_SESSION = 'bWFpbnRhaW5lZA';

beforeAll(async () => {
  const admin = await callerOf(service);
  await admin.mutate('sandboxes.create', { sandbox_id: SANDBOX, name: 'Live' });
  await admin.mutate('players.register', { player_uuid: PLAYER });
  const { code } = await admin.mutate('sessions.create', {
    ...SESSION,
    teams: [{ max_size: 4 }],
  });
  expect(code).toBeUndefined();
  const attached = await admin.mutate('sessions.addPlatformSession', {
    ...SESSION,
    platform: 'Steam',
    platform_session_id_base64: PLATFORM_SESSION,
    platform_session_type: 'party',
  });
  expect(attached.code).toBeUndefined();
});

const joinAt = async (running: TestService) =>
  (await createEdgeClient(running)).join(joinPath(PLATFORM_SESSION, 'Steam', PLAYER), BODY);

/** Waits until a join of this process has this status. Returns the milliseconds until the last join with another status was sent. */
const untilJoinIs = async (running: TestService, status: number) => {
  const from = performance.now();
  let lastOtherAt = from;
  const join = async () => {
    const sentAt = performance.now();
    const { status: found } = await joinAt(running);
    if (found !== status) lastOtherAt = sentAt;
    return found;
  };
  await expect.poll(join, { timeout: 10_000 }).toBe(status);
  return lastOtherAt - from;
};

beforeEach(async () => {
  expect((await set({ enabled: true, reason: 'Upgrade', retry_after_seconds: 40 })).status).toBe(
    200,
  );
});
afterEach(async () => {
  await set({ enabled: false });
  await untilJoinIs(other, 200);
});

test('refuses joins with 409 and Retry-After, in every process within three seconds', async () => {
  const { status, headers, body } = await joinAt(service);
  expect({ status, body }).toEqual({
    status: 409,
    body: {
      auth_success: true,
      error_code: 'service_overloaded',
      desc: 'The service is in maintenance. Try again later.',
    },
  });
  expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(40);
  expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(60);
  expect(await untilJoinIs(other, 409)).toBeLessThan(3_000);
  await set({ enabled: false });
  expect((await joinAt(service)).status).toBe(200);
  expect(await untilJoinIs(other, 200)).toBeLessThan(3_000);
});

const refusedChanges = async () => {
  const headers = await service.headers();
  return Promise.all([
    fetch(`${service.baseUrl}/admin/trpc/sandboxes.create`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ sandbox_id: randomUUID(), name: 'Refused' }),
    }),
    fetch(`${service.baseUrl}${seatPath(SESSION, PLAYER)}`, { method: 'DELETE', headers }),
    fetch(`${service.baseUrl}/admin/import/${SANDBOX}/item`, {
      method: 'POST',
      headers,
      body: '{"name":"Axe","item_type":"unit"}\n',
    }),
  ]);
};

test('refuses changes of the admin API, leaving and imports with 503 and Retry-After', async () => {
  const answers = await refusedChanges();
  for (const answer of answers) {
    expect(answer.status).toBe(503);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(40);
    expect(await answer.text()).toContain('service_unavailable');
  }
});

test('counts what it refuses apart from failures', async () => {
  service.takeActivity();
  await joinAt(service);
  await refusedChanges();
  const total = new Map<string, number>();
  const read = () => {
    for (const [name, count] of service.takeActivity().flatMap(Object.entries<number>)) {
      total.set(name, (total.get(name) ?? 0) + count);
    }
    return total.get('requests');
  };
  await expect.poll(read).toBe(4);
  expect([...total.keys()].filter((name) => /^join:|errors/.test(name))).toEqual([
    'join:maintenance',
  ]);
});

test('answers reads, exports, probes and sign-in', async () => {
  const { ask } = await createEdgeClient(service);
  expect((await ask(`/v1/history/sandbox/${SANDBOX}/item/`)).status).toBe(200);
  expect((await ask('/healthz')).body).toEqual({ status: 'ok' });
  expect(await ask('/readyz')).toMatchObject({ status: 200, body: { status: 'ready' } });
  const admin = await callerOf(service);
  expect((await admin.query('sessions.find', SESSION)).status).toBe(200);
  expect((await createTransferClient(service).exportFile(SANDBOX, 'item')).status).toBe(200);
  const { email, password } = await service.createPerson({ role: 'owner' });
  expect(await signIn(service.baseUrl, email, password)).not.toBe('');
});

test('is a metric of every process, for an alert', async () => {
  for (const running of [service, other]) {
    await untilJoinIs(running, 409);
    expect(await readMetric(running, 'muster_maintenance')).toBe(1);
  }
  await set({ enabled: false });
  await untilJoinIs(other, 200);
  expect(await readMetric(other, 'muster_maintenance')).toBe(0);
});

test('accepts revocation and recovery', async () => {
  const admin = await callerOf(service);
  for (const name of [
    'keys.revoke',
    'people.setDisabled',
    'people.resetPassword',
    'people.resetTwoFactor',
    'people.revokeInvitation',
    'invitations.get',
    'webhooks.disable',
  ]) {
    // Without an input it gets as far as the check of the input.
    expect({ name, ...(await admin.mutate(name, {})) }).toMatchObject({ name, status: 400 });
  }
  const { cookie, accountId } = await service.createPerson({ role: 'viewer' });
  const person = createAdminCaller(service.baseUrl, { cookie });
  expect((await person.mutate('me.endSignIns', {})).status).toBe(200);
  const input = { account_id: accountId, disabled: true };
  expect((await admin.mutate('people.setDisabled', input)).status).toBe(200);
  expect((await person.query('me.get')).status).toBe(403);
});

test('is shown to every caller, and switched by owners only', async () => {
  const viewer = await callerOf(service, ['session:view']);
  const state = await viewer.query<State>('maintenance.get');
  expect(state.data).toEqual({
    enabled: true,
    since: expect.any(String),
    account_id: 'tester',
    reason: 'Upgrade',
    retry_after_seconds: 40,
  });
  const player = await callerOf(service, ['session:update-player:self']);
  const { enabled, since, retry_after_seconds } = state.data;
  const shown = { enabled, since, retry_after_seconds };
  expect((await player.query<State>('maintenance.get')).data).toEqual(shown);
  expect((await viewer.mutate('maintenance.set', { enabled: false })).status).toBe(403);
  const admin = await callerOf(service, ['session:*', 'sandbox:*', 'key:manage']);
  expect((await admin.mutate('maintenance.set', { enabled: false })).status).toBe(403);
  const anonymous = createAdminCaller(service.baseUrl, {});
  expect((await anonymous.query('maintenance.get')).status).toBe(403);
});

test('records each change in the audit trail, and nothing without a change', async () => {
  const list = () =>
    service.database.prisma.auditRecord.findMany({
      where: { action: 'maintenance.set' },
      orderBy: { auditId: 'desc' },
    });
  const before = await list();
  const input = { enabled: true, reason: 'Upgrade', retry_after_seconds: 40 };
  const again = await set(input);
  expect(await list()).toEqual(before);
  const longer = await set({ ...input, retry_after_seconds: 90 });
  expect(longer.data).toEqual({ ...again.data, retry_after_seconds: 90 });
  await set({ enabled: false });
  await set({ enabled: false });
  const [off, changed, ...rest] = await list();
  expect(rest).toEqual(before);
  expect(changed).toMatchObject({
    accountId: 'tester',
    reason: 'Upgrade',
    before: { enabled: true, retry_after_seconds: 40 },
    after: { enabled: true, retry_after_seconds: 90 },
  });
  expect(off).toMatchObject({ after: { enabled: false } });
});
