import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestCatalogue } from '../testing/open-test-catalogue.ts';
import { ACTOR, anItem, openTestCatalogue } from '../testing/open-test-catalogue.ts';
import { updateSandbox } from './sandbox-rules.ts';

let opened: TestCatalogue;
beforeAll(async () => {
  opened = await openTestCatalogue();
});
afterAll(() => opened.close());

const NAME = 'Production';
const admin = { administers: true, confirmedName: NAME };
const silentAdmin = { administers: true, confirmedName: undefined };
const wrongAdmin = { administers: true, confirmedName: 'production' };
const editor = { administers: false, confirmedName: NAME };

const addProtected = async () => {
  const sandbox_id = await opened.addSandbox(NAME);
  const { items, sandboxes } = opened.catalogue;
  await sandboxes.update(
    ACTOR,
    { sandbox_id, protected: true, required_approvals: 0 },
    silentAdmin,
  );
  const { item_id } = await items.create(ACTOR, { sandbox_id, ...anItem('Sword') });
  return { sandbox_id, item_id };
};

const refusal = (code: string) => ({ code, evidence: { facts: { sandbox_name: NAME } } });

describe('in a protected sandbox', () => {
  test.each([
    ['an editor who typed the name', editor, 'sandbox_protected'],
    ['an unknown caller', undefined, 'sandbox_protected'],
    ['an admin who typed nothing', silentAdmin, 'sandbox_confirmation_required'],
    ['an admin who typed another name', wrongAdmin, 'sandbox_confirmation_required'],
  ])('%s deletes nothing, alone or in a bulk', async (_, authority, code) => {
    const { items } = opened.catalogue;
    const { sandbox_id, item_id } = await addProtected();
    const deletion = { item_id, expected_version: 1 };
    await expect(items.delete(ACTOR, { sandbox_id, ...deletion }, authority)).rejects.toMatchObject(
      refusal(code),
    );
    const operations = [
      { operation: 'create' as const, ...anItem('Axe') },
      { operation: 'delete' as const, ...deletion },
    ];
    await expect(items.bulk(ACTOR, { sandbox_id, operations }, authority)).rejects.toMatchObject(
      refusal(code),
    );
    const page = { include_deleted: true, page_size: 10 };
    const { records } = await items.list({ sandbox_id, ...page });
    expect(records).toMatchObject([{ item_id, version: 1 }]);
  });

  test('an admin who typed its name deletes', async () => {
    const { sandbox_id, item_id } = await addProtected();
    const input = { sandbox_id, item_id, expected_version: 1 };
    expect(await opened.catalogue.items.delete(ACTOR, input, admin)).toMatchObject({
      deleted: true,
    });
  });

  test('edits, restores and bulks without a delete need no confirmation', async () => {
    const { items } = opened.catalogue;
    const { sandbox_id, item_id } = await addProtected();
    const edit = { sandbox_id, item_id };
    await items.update(ACTOR, { ...edit, expected_version: 1, name: 'Blade' });
    await items.delete(ACTOR, { ...edit, expected_version: 2 }, admin);
    await items.restore(ACTOR, { ...edit, expected_version: 3 });
    const operations = [{ operation: 'create' as const, ...anItem('Axe') }];
    expect((await items.bulk(ACTOR, { sandbox_id, operations })).records).toHaveLength(1);
  });

  test('a deletion that waits while the sandbox is protected is refused', async () => {
    const { items, sandboxes } = opened.catalogue;
    const sandbox_id = await opened.addSandbox(NAME);
    const { item_id } = await items.create(ACTOR, { sandbox_id, ...anItem('Sword') });
    const client = await opened.database.pool.connect();
    await client.query('BEGIN');
    await client.query(`UPDATE sandbox SET protected = true WHERE sandbox_id = $1`, [sandbox_id]);
    const deletion = items.delete(ACTOR, { sandbox_id, item_id, expected_version: 1 });
    const outcome = deletion.catch((error: unknown) => error);
    await expect
      .poll(async () => {
        const waiting = `SELECT count(*)::int AS n FROM pg_locks WHERE NOT granted`;
        return (await opened.database.pool.query(waiting)).rows[0].n;
      })
      .toBeGreaterThan(0);
    await client.query('COMMIT');
    client.release();
    expect(await outcome).toMatchObject({ code: 'sandbox_protected' });
    expect(await sandboxes.get(sandbox_id)).toMatchObject({ protected: true, head_seq: 1 });
  });
});

describe('changing a sandbox', () => {
  const current = { name: NAME, protected: true, requiredApprovals: 0 };
  const toUpdate = (change: { name?: string; protected?: boolean }) => ({
    name: change.name,
    protected: change.protected,
    requiredApprovals: 0,
  });

  test('renaming a protected one and removing the protection are destructive', () => {
    for (const change of [{ name: 'Live' }, { protected: false }]) {
      expect(() => updateSandbox(current, toUpdate(change), editor)).toThrow(/protected/);
      expect(() => updateSandbox(current, toUpdate(change), silentAdmin)).toThrow(/confirm/);
      expect(updateSandbox(current, toUpdate(change), admin)).toEqual({ ...current, ...change });
    }
  });

  test('an unprotected one is renamed and protected without confirmation', () => {
    const open = { name: NAME, protected: false, requiredApprovals: 0 };
    for (const change of [{ name: 'Live' }, { protected: true }]) {
      expect(updateSandbox(open, toUpdate(change), silentAdmin)).toEqual({ ...open, ...change });
    }
    expect(updateSandbox(current, toUpdate({ name: NAME, protected: true }), editor)).toEqual(
      current,
    );
  });

  test('leaves an audit record with both states, and none when nothing changes', async () => {
    const { sandboxes } = opened.catalogue;
    const sandbox_id = await opened.addSandbox('Old');
    const update = { sandbox_id, name: 'New', protected: true };
    const answer = await sandboxes.update(ACTOR, update, silentAdmin);
    expect(answer).toMatchObject({ name: 'New', protected: true });
    await sandboxes.update(ACTOR, update, silentAdmin);
    const records = await opened.database.prisma.auditRecord.findMany({
      where: { sandboxId: sandbox_id, action: 'sandboxes.update' },
    });
    expect(records).toMatchObject([
      {
        accountId: ACTOR.accountId,
        before: { name: 'Old', protected: false },
        after: { name: 'New', protected: true },
      },
    ]);
  });

  test('an unknown one is not found', async () => {
    const sandbox_id = '00000000-0000-4000-8000-00000000dead';
    const { sandboxes } = opened.catalogue;
    await expect(sandboxes.update(ACTOR, { sandbox_id }, admin)).rejects.toMatchObject({
      code: 'sandbox_not_found',
    });
    await expect(sandboxes.get(sandbox_id)).rejects.toMatchObject({ code: 'sandbox_not_found' });
  });
});
