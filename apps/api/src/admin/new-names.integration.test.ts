// The rule for names, for each procedure that accepts one.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AdminCaller } from '../../test/admin-caller.ts';
import { createAdminCaller } from '../../test/admin-caller.ts';
import type { TestService } from '../../test/test-service.ts';
import { startTestService } from '../../test/test-service.ts';

let service: TestService;
let admin: AdminCaller;
let sandbox_id: string;
let item: { item_id: string; version: number };

beforeAll(async () => {
  service = await startTestService();
  admin = createAdminCaller(service.baseUrl, await service.createPerson({ role: 'owner' }));
  sandbox_id = randomUUID();
  await admin.mutate('sandboxes.create', { sandbox_id, name: 'Names' });
  const { data } = await admin.mutate<typeof item>('items.create', newItem('Sword'));
  item = data;
});
afterAll(() => service.close());

const newItem = (name: string) => ({ sandbox_id, name, item_type: 'unit' });
const editOf = (name: string) => ({
  sandbox_id,
  item_id: item.item_id,
  expected_version: item.version,
  name,
});

/** Each procedure with a name in its input. */
const CALLS: [string, (name: string) => object][] = [
  ['items.create', newItem],
  ['items.update', editOf],
  ['xp.create', (name) => ({ sandbox_id, name, xp_thresholds: [{ level: 1, xp: 0 }] })],
  [
    'items.bulk',
    (name) => ({ sandbox_id, operations: [{ operation: 'update', ...editOf(name) }] }),
  ],
  ['sandboxes.create', (name) => ({ name })],
  ['sandboxes.update', (name) => ({ sandbox_id, name })],
  ['players.register', (name) => ({ player_uuid: randomUUID(), display_name: name })],
  ['me.rename', (name) => ({ name })],
  ['keys.createAccount', (name) => ({ name })],
  ['sessionTypes.upsert', (type) => ({ type })],
  ['sessions.create', (type) => ({ type, teams: [{ max_size: 2 }] })],
  ['sessions.create', (session_id) => ({ type: 'duel', session_id, teams: [{ max_size: 2 }] })],
];

describe.each(CALLS)('%s (%#)', (procedure, compose) => {
  test.each(['   ', '\u200b', '\n', '\u2800', '\u202eevil', 'a\u0007b'])(
    'refuses %j',
    async (name) => {
      const { status, code } = await admin.mutate(procedure, compose(name));
      expect({ status, code }).toEqual({ status: 400, code: 'input_invalid' });
    },
  );
});

test('removes white space at both ends of a name', async () => {
  const { data } = await admin.mutate<{ name: string }>('items.create', newItem('\u00a0Axe '));
  expect(data.name).toBe('Axe');
  await admin.mutate('me.rename', { name: ' Owner ' });
  expect((await admin.query('me.get')).data).toMatchObject({ name: 'Owner' });
});

test('refuses a session id with white space at an end, and does not trim it', async () => {
  for (const session_id of ['duel-1 ', ' duel-1']) {
    const { status } = await admin.mutate('sessions.create', { type: 'duel', session_id });
    expect(status).toBe(400);
  }
});

test('refuses a service account whose name differs only in invisible characters', async () => {
  expect((await admin.mutate('keys.createAccount', { name: 'Backend' })).status).toBe(200);
  for (const name of ['Backend', 'Back\u200bend ', '\u2060Backend']) {
    const { code } = await admin.mutate('keys.createAccount', { name });
    expect(code).toBe('service_account_exists');
  }
});

describe('a name that is older than the rule', () => {
  const OLD = '\u200bOld\u202e ';
  const store = async () => {
    const { data } = await admin.mutate<typeof item>('items.create', newItem('Old'));
    const { prisma } = service.database;
    const where = {
      sandboxId_kind_recordId: { sandboxId: sandbox_id, kind: 'item', recordId: data.item_id },
    };
    const { snapshot } = await prisma.catalogueRecord.findUniqueOrThrow({ where });
    const renamed = JSON.stringify({ ...JSON.parse(snapshot), name: OLD });
    await prisma.catalogueRecord.update({ where, data: { name: OLD, snapshot: renamed } });
    return data;
  };
  const importRow = async (row: object) => {
    const response = await fetch(`${service.baseUrl}/admin/import/${sandbox_id}/item`, {
      method: 'POST',
      headers: await service.headers({ permissions: ['*'] }),
      body: JSON.stringify(row),
    });
    return (await response.json()) as { counts: object; errors: { column: string; msg: string }[] };
  };

  test('is kept by edits of other fields, deletion and restoration', async () => {
    const { item_id } = await store();
    const place = { sandbox_id, item_id };
    for (const [procedure, edit] of [
      ['items.update', { expected_version: 1, description: 'Rusty' }],
      ['items.delete', { expected_version: 2 }],
      ['items.restore', { expected_version: 3 }],
    ] as const) {
      const { status, data } = await admin.mutate(procedure, { ...place, ...edit });
      expect({ status, data }).toMatchObject({ status: 200, data: { name: OLD } });
    }
  });

  test('is kept by an import of the same name, and refused as a new one', async () => {
    const { item_id } = await store();
    const same = await importRow({ item_id, name: OLD, item_type: 'recipe' });
    expect(same).toMatchObject({ counts: { update: 1 }, errors: [] });
    const { errors } = await importRow({ name: OLD, item_type: 'unit' });
    expect(errors).toEqual([
      { row: 1, column: 'name', msg: expect.stringMatching(/^Must not contain/) },
    ]);
  });

  test('of a sandbox is confirmed by its visible characters', async () => {
    const id = randomUUID();
    await admin.mutate('sandboxes.create', { sandbox_id: id, name: 'Old' });
    await service.database.prisma.sandbox.update({ where: { sandboxId: id }, data: { name: OLD } });
    const confirm = (name: string) =>
      admin.mutate('sandboxes.delete', { sandbox_id: id, confirm_sandbox_name: name });
    expect((await confirm('Other')).code).toBe('sandbox_confirmation_required');
    expect((await confirm('Old')).status).toBe(200);
  });
});
