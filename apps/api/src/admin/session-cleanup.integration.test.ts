// Ending sessions by filter, and deleting sessions, session types and players.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestService } from '../../test/test-service.ts';
import { startTestService } from '../../test/test-service.ts';
import type { AdminClient } from './testing/admin-client.ts';
import { createAdminClient, createSession, join } from './testing/admin-client.ts';

let service: TestService;
let admin: AdminClient;
beforeAll(async () => {
  service = await startTestService();
  admin = createAdminClient(service);
});
afterAll(() => service.close());

const newType = () => `type-${randomUUID()}`;
const codeOf = async (answer: ReturnType<AdminClient['mutate']>): Promise<string | undefined> =>
  (await answer).error?.error_code;

const liveIds = async (type: string): Promise<string[]> => {
  const { data } = await admin.query('sessions.list', { type });
  return (data.sessions as { session: { session_id: string } }[])
    .map(({ session }) => session.session_id)
    .toSorted();
};

describe('sessions.endMatching', () => {
  test('ends the live sessions that match, each with its own audit record, and no other', async () => {
    const [type, other] = [newType(), newType()];
    const made = await Promise.all([1, 2, 3].map(() => createSession(admin, { type })));
    const spared = await createSession(admin, { type: other });
    const { data } = await admin.mutate('sessions.endMatching', { type });
    expect(data).toEqual({ ended: 3, skipped: 0, page_meta: { page_size: 50 } });
    expect([await liveIds(type), await liveIds(other)]).toEqual([[], [spared.name.session_id]]);
    const audits = await service.database.prisma.auditRecord.findMany({
      where: { action: 'sessions.end' },
    });
    const ids = audits.map(({ target }) => (target as { session_id: string }).session_id);
    expect(ids.toSorted()).toEqual(made.map(({ name }) => name.session_id).toSorted());
  });

  test('works page by page, so that a caller can stop between two pages', async () => {
    const type = newType();
    for (let n = 0; n < 5; n += 1) await createSession(admin, { type });
    const first = await admin.mutate('sessions.endMatching', { type, page_size: 3 });
    expect(first.data).toMatchObject({ ended: 3, page_meta: { cursor: expect.any(String) } });
    expect(await liveIds(type)).toHaveLength(2);
    const { cursor } = first.data.page_meta as { cursor: string };
    const second = await admin.mutate('sessions.endMatching', { type, page_size: 3, cursor });
    expect(second.data).toEqual({ ended: 2, skipped: 0, page_meta: { page_size: 3 } });
  });

  test('applies every filter of the list', async () => {
    const type = newType();
    const [full, joined, empty] = [
      await createSession(admin, { type, teams: [{ max_size: 1 }] }),
      await createSession(admin, { type }),
      await createSession(admin, { type, joinable: false }),
    ];
    const player = randomUUID();
    await join(service, full.platformSessionId, randomUUID());
    await join(service, joined.platformSessionId, player);
    const later = { created_from: new Date(Date.now() + 60_000).toISOString() };
    for (const [filter, ended] of [
      [later, 0],
      [{ platform: 'PSN' }, 0],
      [{ join_status: 'closed' }, 0],
      [{ fill: 'full' }, 1],
      [{ player_uuid: player }, 1],
      [{ fill: 'empty', joinable: false, platform: 'Steam' }, 1],
    ] as const) {
      const { data } = await admin.mutate('sessions.endMatching', { type, ...filter });
      expect([filter, data.ended]).toEqual([filter, ended]);
    }
    expect(await liveIds(type)).toEqual([]);
    expect(empty.name.type).toBe(type);
  });

  test('ending a session again returns it with the time at which it ended before', async () => {
    const { name } = await createSession(admin);
    const first = await admin.mutate('sessions.end', name);
    expect(first.data).not.toHaveProperty('ended');
    const again = await admin.mutate('sessions.end', name);
    expect(again.data).toEqual({ ...first.data, ended: expect.any(String) });
  });

  test('ends idle sessions and those with absent players, with the reason in the audit trail', async () => {
    const type = newType();
    const [old, away, fresh] = [
      await createSession(admin, { type }),
      await createSession(admin, { type }),
      await createSession(admin, { type }),
    ];
    const player = randomUUID();
    await join(service, away.platformSessionId, player);
    await admin.mutate('sessions.setPresence', {
      ...away.name,
      player_uuid: player,
      present: false,
    });
    await service.database.pool.query(
      `UPDATE session SET created_at = created_at - interval '2 hours' WHERE type = $1 AND session_id = $2`,
      [type, old.name.session_id],
    );
    const { data } = await admin.query('sessions.list', { type, has_absent: true });
    expect(data.sessions).toMatchObject([
      { session: away.name, absent: 1, last_activity_at: expect.any(String) },
    ]);
    const end = async (filter: object) =>
      (await admin.mutate('sessions.endMatching', { type, reason: 'Stale servers', ...filter }))
        .data.ended;
    expect(await end({ idle_seconds: 3600 })).toBe(1);
    expect(await end({ has_absent: true })).toBe(1);
    expect(await liveIds(type)).toEqual([fresh.name.session_id]);
    await admin.mutate('sessions.end', { ...fresh.name, reason: 'One more' });
    const audits = await service.database.prisma.auditRecord.findMany({
      where: { action: 'sessions.end', target: { path: ['type'], equals: type } },
      orderBy: { occurredAt: 'asc' },
    });
    expect(audits.map(({ reason }) => reason)).toEqual([
      'Stale servers',
      'Stale servers',
      'One more',
    ]);
  });

  test('refuses an input without filters, and callers who may only view', async () => {
    const onlyReason = { page_size: 10, reason: 'No filter' };
    expect(await codeOf(admin.mutate('sessions.endMatching', onlyReason))).toBe('input_invalid');
    const viewer = createAdminClient(service, { permissions: ['session:view'] });
    expect(await codeOf(viewer.mutate('sessions.endMatching', { type: 'x' }))).toBe(
      'insufficient_permissions',
    );
  });
});

test('an ended session is deleted with its timeline; a live one is not', async () => {
  const { name } = await createSession(admin);
  expect(await codeOf(admin.mutate('sessions.delete', name))).toBe('session_not_ended');
  await admin.mutate('sessions.end', name);
  expect((await admin.mutate('sessions.delete', name)).data).toEqual({ deleted: true });
  const gone = admin.query('sessions.get', { ...name, ended: true });
  expect(await codeOf(gone)).toBe('session_not_found');
  expect((await admin.query('sessions.events', name)).data).toMatchObject({ events: [] });
  expect(await codeOf(admin.mutate('sessions.delete', name))).toBe('session_not_found');
});

test('deletes a session type that no live session uses, with an audit record', async () => {
  const type = newType();
  await admin.mutate('sessionTypes.upsert', { type, version_match: 'exact' });
  const { name } = await createSession(admin, { type });
  expect(await codeOf(admin.mutate('sessionTypes.delete', { type }))).toBe('session_type_in_use');
  await admin.mutate('sessions.end', name);
  expect((await admin.mutate('sessionTypes.delete', { type })).data).toEqual({ deleted: true });
  expect(await codeOf(admin.query('sessionTypes.get', { type }))).toBe('session_type_not_found');
  expect(await codeOf(admin.mutate('sessionTypes.delete', { type }))).toBe(
    'session_type_not_found',
  );
  const audits = await service.database.prisma.auditRecord.findMany({
    where: { action: 'sessionTypes.delete' },
  });
  expect(audits).toMatchObject([{ target: { type }, before: { versionMatch: 'exact' } }]);
});

test('a player without a live seat is deleted, and the legacy id is free again', async () => {
  const [player, next] = [randomUUID(), randomUUID()];
  const player_id = 7_001;
  await admin.mutate('players.register', { player_uuid: player, player_id, display_name: 'Ada' });
  const { name, platformSessionId } = await createSession(admin);
  await join(service, platformSessionId, player);
  const remove = () => admin.mutate('players.delete', { player_uuid: player });
  expect(await codeOf(remove())).toBe('player_seated');
  await admin.mutate('sessions.end', name);
  expect((await remove()).data).toEqual({ deleted: true });
  expect(await codeOf(admin.query('players.get', { player_uuid: player }))).toBe(
    'player_not_found',
  );
  expect(await codeOf(remove())).toBe('player_not_found');
  const claim = await admin.mutate('players.register', { player_uuid: next, player_id });
  expect(claim.status).toBe(200);
  // A self-join registers the player again, whatever processes have cached.
  const again = await createSession(admin);
  expect((await join(service, again.platformSessionId, player)).status).toBe(200);
  expect((await admin.query('players.get', { player_uuid: player })).status).toBe(200);
});
