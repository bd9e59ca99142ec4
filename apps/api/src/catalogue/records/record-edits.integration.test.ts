import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestCatalogue } from '../testing/open-test-catalogue.ts';
import {
  ACTOR,
  anItem,
  anXp,
  openTestCatalogue,
  readChain,
} from '../testing/open-test-catalogue.ts';

let opened: TestCatalogue;
beforeAll(async () => {
  opened = await openTestCatalogue();
});
afterAll(() => opened.close());

const UNKNOWN = '00000000-0000-4000-8000-00000000dead';

/** The same guarantees for both kinds; only the names of the ids differ. */
const kinds = {
  items: () => {
    const { items } = opened.catalogue;
    return {
      create: (sandbox_id: string, more: { name?: string; id?: string; legacy?: number } = {}) =>
        items.create(ACTOR, {
          sandbox_id,
          ...anItem(more.name ?? 'Sword'),
          item_id: more.id,
          legacy_item_id: more.legacy,
        }),
      update: (sandbox_id: string, id: string, expected_version: number, patch: object) =>
        items.update(ACTOR, { sandbox_id, item_id: id, expected_version, ...patch }),
      delete: (sandbox_id: string, id: string, expected_version: number) =>
        items.delete(ACTOR, { sandbox_id, item_id: id, expected_version }),
      restore: (sandbox_id: string, id: string, expected_version: number, version_id?: string) =>
        items.restore(ACTOR, { sandbox_id, item_id: id, expected_version, version_id }),
      get: (sandbox_id: string, id: string) => items.get({ sandbox_id, item_id: id }),
      idOf: (record: object) => (record as { item_id: string }).item_id,
      legacyField: 'legacy_item_id',
    };
  },
  xp: () => {
    const { xp } = opened.catalogue;
    return {
      create: (sandbox_id: string, more: { name?: string; id?: string; legacy?: number } = {}) =>
        xp.create(ACTOR, {
          sandbox_id,
          ...anXp(more.name ?? 'Sword'),
          xp_id: more.id,
          legacy_xp_id: more.legacy,
        }),
      update: (sandbox_id: string, id: string, expected_version: number, patch: object) =>
        xp.update(ACTOR, { sandbox_id, xp_id: id, expected_version, ...patch }),
      delete: (sandbox_id: string, id: string, expected_version: number) =>
        xp.delete(ACTOR, { sandbox_id, xp_id: id, expected_version }),
      restore: (sandbox_id: string, id: string, expected_version: number, version_id?: string) =>
        xp.restore(ACTOR, { sandbox_id, xp_id: id, expected_version, version_id }),
      get: (sandbox_id: string, id: string) => xp.get({ sandbox_id, xp_id: id }),
      idOf: (record: object) => (record as { xp_id: string }).xp_id,
      legacyField: 'legacy_xp_id',
    };
  },
};

const refusal = (code: string, facts: object = {}) => ({
  code,
  ...(Object.keys(facts).length > 0 && { evidence: { facts: expect.objectContaining(facts) } }),
});

describe.each(['items', 'xp'] as const)('%s', (name) => {
  test('every operation appends one version, and the record follows', async () => {
    const it = kinds[name]();
    const sandbox = await opened.addSandbox();
    const created = await it.create(sandbox, { legacy: 7 });
    const id = it.idOf(created);
    const updated = await it.update(sandbox, id, 1, { name: 'Blade' });
    const deleted = await it.delete(sandbox, id, 2);
    const restored = await it.restore(sandbox, id, 3);
    const back = await it.restore(sandbox, id, 4, created.version_id);
    expect([created, updated, deleted, restored, back].map(({ version }) => version)).toEqual([
      1, 2, 3, 4, 5,
    ]);
    expect(deleted).toMatchObject({ name: 'Blade', deleted: true });
    expect(restored).toMatchObject({ name: 'Blade', [it.legacyField]: 7 });
    expect(restored).not.toHaveProperty('deleted');
    expect(back.name).toBe('Sword');
    expect(await it.get(sandbox, id)).toEqual(back);
    const versions = await opened.database.prisma.catalogueVersion.findMany({
      where: { sandboxId: sandbox },
      orderBy: { seq: 'asc' },
    });
    expect(versions.map(({ operation }) => operation)).toEqual([
      'insert',
      'update',
      'delete',
      'restore',
      'restore',
    ]);
    expect(versions[2]?.snapshot).toBe(versions[1]?.snapshot);
    expect(JSON.parse(versions[4]!.snapshot)).toEqual(JSON.parse(versions[0]!.snapshot));
    const chain = await readChain(opened.database, sandbox);
    expect(chain).toMatchObject({ positions: [1, 2, 3, 4, 5], broken: [], headMatches: true });
  });

  test('an edit without changes writes nothing and returns the current record', async () => {
    const it = kinds[name]();
    const sandbox = await opened.addSandbox();
    const created = await it.create(sandbox);
    const id = it.idOf(created);
    const custom_data = { a: '1', b: '2' };
    const filled = await it.update(sandbox, id, 1, { custom_data });
    const reordered = { custom_data: { b: '2', a: '1' }, name: 'Sword', description: null };
    expect(await it.update(sandbox, id, 2, reordered)).toEqual(filled);
    expect(await it.update(sandbox, id, 2, {})).toEqual(filled);
    expect(await it.restore(sandbox, id, 2)).toEqual(filled);
    expect(await it.restore(sandbox, id, 2, filled.version_id)).toEqual(filled);
    const where = { sandboxId: sandbox };
    expect(await opened.database.prisma.catalogueVersion.count({ where })).toBe(2);
    expect(
      await opened.database.prisma.auditRecord.count({
        where: { ...where, action: { not: 'sandboxes.create' } },
      }),
    ).toBe(2);
  });

  test('an absent field is unchanged, null clears an optional one, lists and maps are replaced', async () => {
    const it = kinds[name]();
    const sandbox = await opened.addSandbox();
    const id = it.idOf(await it.create(sandbox));
    await it.update(sandbox, id, 1, { description: 'Sharp', custom_data: { a: '1' } });
    const replaced = await it.update(sandbox, id, 2, { custom_data: { b: '2' } });
    expect(replaced).toMatchObject({ description: 'Sharp', custom_data: { b: '2' } });
    expect(replaced.custom_data).toEqual({ b: '2' });
    expect(await it.update(sandbox, id, 3, { description: null })).not.toHaveProperty(
      'description',
    );
  });

  test('an edit of an outdated version is refused with the current version', async () => {
    const it = kinds[name]();
    const sandbox = await opened.addSandbox();
    const { version_id, ...created } = await it.create(sandbox);
    const facts = { current_version: 1, current_version_id: version_id };
    for (const edit of [
      it.update(sandbox, it.idOf(created), 2, { name: 'Axe' }),
      it.update(sandbox, it.idOf(created), 2, {}),
      it.delete(sandbox, it.idOf(created), 2),
      it.restore(sandbox, it.idOf(created), 2),
    ]) {
      await expect(edit).rejects.toMatchObject(refusal('record_version_conflict', facts));
    }
  });

  test('a deleted record is neither edited nor deleted again', async () => {
    const it = kinds[name]();
    const sandbox = await opened.addSandbox();
    const id = it.idOf(await it.create(sandbox));
    await it.delete(sandbox, id, 1);
    const facts = { current_version: 2 };
    const edit = it.update(sandbox, id, 2, { name: 'Axe' });
    await expect(edit).rejects.toMatchObject(refusal('record_deleted', facts));
    await expect(it.delete(sandbox, id, 2)).rejects.toMatchObject(refusal('record_deleted', facts));
    expect(await it.get(sandbox, id)).toMatchObject({ deleted: true, version: 2 });
  });

  test('a record is created once, and not again after its deletion', async () => {
    const it = kinds[name]();
    const sandbox = await opened.addSandbox();
    await it.create(sandbox, { id: UNKNOWN });
    await expect(it.create(sandbox, { id: UNKNOWN })).rejects.toMatchObject(
      refusal('record_exists'),
    );
    await it.delete(sandbox, UNKNOWN, 1);
    await expect(it.create(sandbox, { id: UNKNOWN })).rejects.toMatchObject(
      refusal('record_exists'),
    );
    const other = await opened.addSandbox();
    expect(await it.create(other, { id: UNKNOWN })).toMatchObject({ version: 1 });
  });

  test('a legacy id belongs permanently to one record', async () => {
    const it = kinds[name]();
    const sandbox = await opened.addSandbox();
    const first = it.idOf(await it.create(sandbox, { legacy: 5 }));
    await it.delete(sandbox, first, 1);
    const taken = refusal('legacy_id_taken');
    await expect(it.create(sandbox, { legacy: 5 })).rejects.toMatchObject(taken);
    const second = it.idOf(await it.create(sandbox));
    const steal = it.update(sandbox, second, 1, { [it.legacyField]: 5 });
    await expect(steal).rejects.toMatchObject(taken);
    const late = await it.update(sandbox, second, 1, { [it.legacyField]: 6 });
    expect(late).toMatchObject({ [it.legacyField]: 6 });
    for (const legacy of [null, 8]) {
      const change = it.update(sandbox, second, 2, { [it.legacyField]: legacy });
      await expect(change).rejects.toMatchObject(refusal('input_invalid'));
    }
    const other = await opened.addSandbox();
    expect(await it.create(other, { legacy: 5 })).toMatchObject({ [it.legacyField]: 5 });
  });

  test('restoring a version from before the legacy id keeps the legacy id', async () => {
    const it = kinds[name]();
    const sandbox = await opened.addSandbox();
    const created = await it.create(sandbox);
    const id = it.idOf(created);
    await it.update(sandbox, id, 1, { [it.legacyField]: 6, name: 'Axe' });
    const back = await it.restore(sandbox, id, 2, created.version_id);
    expect(back).toMatchObject({ name: 'Sword', [it.legacyField]: 6, version: 3 });
  });

  test('only versions of the record itself can be restored', async () => {
    const it = kinds[name]();
    const sandbox = await opened.addSandbox();
    const id = it.idOf(await it.create(sandbox));
    const other = await it.create(sandbox);
    for (const versionId of [UNKNOWN, other.version_id]) {
      const restore = it.restore(sandbox, id, 1, versionId);
      await expect(restore).rejects.toMatchObject(refusal('version_not_found'));
    }
  });

  test('an unknown sandbox and an unknown record have different errors', async () => {
    const it = kinds[name]();
    const sandbox = await opened.addSandbox();
    const noSandbox = refusal('sandbox_not_found');
    await expect(it.create(UNKNOWN)).rejects.toMatchObject(noSandbox);
    await expect(it.update(UNKNOWN, UNKNOWN, 1, {})).rejects.toMatchObject(noSandbox);
    await expect(it.get(UNKNOWN, UNKNOWN)).rejects.toMatchObject(noSandbox);
    const noRecord = refusal('record_not_found');
    await expect(it.get(sandbox, UNKNOWN)).rejects.toMatchObject(noRecord);
    await expect(it.update(sandbox, UNKNOWN, 1, {})).rejects.toMatchObject(noRecord);
    await expect(it.restore(sandbox, UNKNOWN, 1)).rejects.toMatchObject(noRecord);
  });
});

test('an Item and an Xp table may have the same id and the same legacy id', async () => {
  const sandbox = await opened.addSandbox();
  await kinds.items().create(sandbox, { id: UNKNOWN, legacy: 1 });
  expect(await kinds.xp().create(sandbox, { id: UNKNOWN, legacy: 1 })).toMatchObject({
    version: 1,
  });
  await expect(kinds.xp().update(sandbox, UNKNOWN, 1, { name: 'New' })).resolves.toBeTruthy();
  expect((await kinds.items().get(sandbox, UNKNOWN)).name).toBe('Sword');
});

test('the snapshot has the fields in a fixed order, without absent ones', async () => {
  const sandbox = await opened.addSandbox();
  const item = await opened.catalogue.items.create(ACTOR, {
    custom_data: { b: '"\u2028', a: '1' },
    tags: ['x'],
    item_type: 'recipe',
    name: 'Sword',
    item_id: UNKNOWN,
    sandbox_id: sandbox,
    reason: 'First',
  });
  const [stored] = await opened.database.prisma.catalogueVersion.findMany({
    where: { sandboxId: sandbox },
  });
  expect(stored).toMatchObject({
    snapshot: `{"item_id":"${UNKNOWN}","name":"Sword","item_type":"recipe","tags":["x"],"custom_data":{"b":"\\"\u2028","a":"1"}}`,
    reason: 'First',
    versionId: item.version_id,
    transactionId: item.transaction_id,
    accountId: 'editor-1',
  });
});

test('a mutation writes one audit record with actor, action, and the states before and after', async () => {
  const sandbox = await opened.addSandbox();
  const created = await opened.catalogue.items.create(ACTOR, {
    sandbox_id: sandbox,
    ...anItem('Sword'),
  });
  const { item_id } = created;
  const edit = {
    sandbox_id: sandbox,
    item_id,
    expected_version: 1,
    name: 'Axe',
    reason: 'Because',
  };
  const updated = await opened.catalogue.items.update(ACTOR, edit);
  const [record] = await opened.database.prisma.auditRecord.findMany({
    where: { sandboxId: sandbox, action: 'items.update' },
  });
  const { transaction_id, version_id } = updated;
  expect(record).toMatchObject({
    accountId: 'editor-1',
    requestId: 'request-1',
    address: '192.0.2.1',
    target: { item_id },
    before: { version: 1, version_id: created.version_id },
    after: { version: 2, version_id, transaction_id },
    reason: 'Because',
  });
});
