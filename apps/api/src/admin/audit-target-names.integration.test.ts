import type { Database } from '@muster/database';
import { openTestDatabase } from '@muster/database/testing';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { appendAudit } from '../platform/audit-trail.ts';
import { createAuditStore } from './audit-list-store.ts';
import type { AuditService } from './audit-router.ts';
import { createAuditService } from './audit-router.ts';

let database: Database;
let audit: AuditService;
beforeAll(async () => {
  database = await openTestDatabase();
  audit = createAuditService(createAuditStore(database));
  await fillDatabase();
});
afterAll(() => database.close());

const LIVE = '0196b8a0-0000-7000-8000-000000000001';
const TEST = '0196b8a0-0000-7000-8000-000000000002';
const NIL = '00000000-0000-0000-0000-000000000000';
const id = (n: number) => `0196b8a0-0000-7000-8000-0000000001${n}`;
const [SERVICE, KEY, PLAYER, NAMELESS, GONE] = [id(10), id(11), id(12), id(13), id(14)];

/** One item with the same id in two sandboxes, a service account with a key, two players. */
const fillDatabase = async () => {
  const { prisma } = database;
  const at = new Date('2026-01-01T00:00:00Z');
  for (const [sandboxId, name] of [
    [LIVE, 'Live'],
    [TEST, 'Test'],
  ] as const) {
    await prisma.sandbox.create({ data: { sandboxId, name } });
    const record = { sandboxId, recordId: NIL, version: 1n, headSeq: 1n, snapshot: '{}' };
    const times = { createdAt: at, updatedAt: at };
    for (const kind of ['item', 'xp']) {
      const named = { kind, name: `${name} ${kind}`, foldedName: `${name} ${kind}`.toLowerCase() };
      await prisma.catalogueRecord.create({ data: { ...record, ...named, ...times } });
    }
  }
  const set = { sandboxId: LIVE, changeSetId: NIL, title: 'Season 2', state: 'draft' };
  await prisma.changeSet.create({
    data: { ...set, authorId: 'ada', createdAt: at, updatedAt: at },
  });
  const account = { accountId: SERVICE, name: 'Build server' };
  await prisma.serviceAccount.create({ data: { ...account, createdAt: at } });
  await prisma.accountName.create({ data: { ...account, kind: 'service' } });
  const digest = new Uint8Array(32);
  const key = { keyId: KEY, name: 'Nightly', prefix: 'muster_abc', digest, permissions: ['*'] };
  await prisma.serviceKey.create({ data: { ...key, accountId: SERVICE, createdAt: at } });
  await prisma.accountName.create({ data: { accountId: 'ada', kind: 'person', name: 'Ada' } });
  await prisma.player.create({ data: { playerUuid: PLAYER, displayName: 'Moss' } });
  await prisma.player.create({ data: { playerUuid: NAMELESS } });
};

const EVERYBODY = { accountId: 'eve', seesPeople: true };

type Case = [title: string, entry: object, name: string | null];
const CASES: Case[] = [
  ['an item', { sandboxId: LIVE, target: { item_id: NIL } }, 'Live item'],
  ['an item of the same id elsewhere', { sandboxId: TEST, target: { item_id: NIL } }, 'Test item'],
  ['an Xp table', { sandboxId: LIVE, target: { xp_id: NIL } }, 'Live xp'],
  ['a change set', { sandboxId: LIVE, target: { change_set_id: NIL } }, 'Season 2'],
  ['the one record of a bulk edit', { sandboxId: LIVE, target: { item_ids: [NIL] } }, 'Live item'],
  ['several records', { sandboxId: LIVE, target: { item_ids: [NIL, KEY] } }, null],
  ['an import', { sandboxId: LIVE, target: { records: 3 } }, null],
  ['a record that never was', { sandboxId: LIVE, target: { item_id: GONE } }, null],
  ['a sandbox', { sandboxId: LIVE, target: { sandbox_id: LIVE } }, 'Live'],
  ['a session', { target: { type: 'duel', session_id: 'a', player_uuid: PLAYER } }, 'duel/a'],
  ['a session type', { target: { type: 'duel' } }, 'duel'],
  ['a player', { target: { player_uuid: PLAYER } }, 'Moss'],
  ['a player without a name', { target: { player_uuid: NAMELESS } }, null],
  ['a person', { target: { account_id: 'ada' } }, 'Ada'],
  [
    'the person who accepted an invitation',
    { target: { account_id: 'ada', invitation_id: GONE } },
    'Ada',
  ],
  ['a service account', { target: { account_id: SERVICE } }, 'Build server'],
  ['a key', { target: { account_id: SERVICE, key_id: KEY } }, 'Nightly'],
  ['a deleted key', { target: { account_id: SERVICE, key_id: GONE } }, null],
  [
    'the creation of a key that is now deleted',
    { target: { account_id: SERVICE, key_id: GONE }, after: { name: 'Old', prefix: 'muster_x' } },
    'Old',
  ],
  [
    'an invitation',
    { target: { invitation_id: GONE }, after: { email: 'eve@example.com' } },
    'eve@example.com',
  ],
  ['a refused sign-in of an unknown person', { target: {} }, null],
];

test('shows the name of each target, with one look-up per page', async () => {
  const at = new Date('2026-01-02T00:00:00Z');
  for (const [title, entry] of CASES) {
    const record = { target: {}, ...entry, action: title };
    await appendAudit(database.prisma, { accountId: 'ada' }, record, at);
  }
  const connect = vi.spyOn(database.pool, 'connect');
  const { records } = await audit.list({}, null, 50, EVERYBODY);
  expect(connect).toHaveBeenCalledTimes(2);
  expect(Object.fromEntries(records.map((each) => [each.action, each.target_name]))).toEqual(
    Object.fromEntries(CASES.map(([title, , name]) => [title, name])),
  );
  for (const record of records) expect(await audit.get(record.audit_id, EVERYBODY)).toEqual(record);
});

test('shows names and addresses of people only to themselves and to callers who may view people', async () => {
  const namesFor = async (accountId: string) => {
    const { records } = await audit.list({}, null, 50, { accountId, seesPeople: false });
    return Object.fromEntries(records.map((each) => [each.action, each.target_name]));
  };
  expect(await namesFor('bob')).toMatchObject({
    'a person': null,
    'the person who accepted an invitation': null,
    'a service account': 'Build server',
    'a player': 'Moss',
  });
  expect(await namesFor('ada')).toMatchObject({ 'a person': 'Ada' });
});
