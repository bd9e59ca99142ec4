import { afterAll, beforeAll, expect, test } from 'vitest';
import { NO_AUTHORITY, refOf } from '../testing/change-set-calls.ts';
import { ACTOR, anItem } from '../testing/open-test-catalogue.ts';
import { FRIDAY, openSales } from '../testing/scheduled-sales.ts';

let sales: Awaited<ReturnType<typeof openSales>>;
beforeAll(async () => {
  sales = await openSales();
});
afterAll(() => sales.close());

const admin = { administers: true, confirmedName: 'Production' };
const silentAdmin = { administers: true, confirmedName: undefined };
const REFUSED = [
  [NO_AUTHORITY, 'sandbox_protected'],
  [silentAdmin, 'sandbox_confirmation_required'],
] as const;

/** A promotion that deletes nothing, to which someone has added an Item. */
const makePromotion = async () => {
  const { items, changeSets, sandboxes } = sales.catalogue;
  const source = await sales.addSandbox('Staging');
  const sandbox_id = await sales.addSandbox('Production');
  const { item_id } = await items.create(ACTOR, { sandbox_id: source, ...anItem('Sword') });
  const settings = { sandbox_id, protected: true, required_approvals: 0 };
  await sandboxes.update(ACTOR, settings, silentAdmin);
  const draft = await changeSets.promote(ACTOR, {
    sandbox_id,
    source_sandbox_id: source,
    kind: 'item',
    include_referenced: true,
    record_ids: [item_id],
  });
  const { revision } = await changeSets.addOperations(ACTOR, {
    ...refOf(draft),
    operations: [{ kind: 'item', operation: 'create', ...anItem('Axe') }],
  });
  const countItems = async () => {
    const page = { include_deleted: false, page_size: 10 };
    return (await items.list({ sandbox_id, ...page })).records.length;
  };
  return { countItems, set: { ...refOf(draft), expected_revision: revision } };
};

test('a promotion into a protected sandbox is applied by an admin who typed its name', async () => {
  const { changeSets } = sales.catalogue;
  const { set, countItems } = await makePromotion();
  for (const [authority, code] of REFUSED) {
    await expect(changeSets.apply(ACTOR, set, authority)).rejects.toMatchObject({ code });
  }
  expect(await countItems()).toBe(0);
  await changeSets.apply(ACTOR, set, admin);
  expect(await countItems()).toBe(2);
});

test('a promotion into a protected sandbox is scheduled by an admin who typed its name', async () => {
  const { changeSets } = sales.catalogue;
  const { set, countItems } = await makePromotion();
  const input = { ...set, apply_at: FRIDAY };
  for (const [authority, code] of REFUSED) {
    await expect(changeSets.schedule(ACTOR, input, authority)).rejects.toMatchObject({ code });
  }
  await changeSets.schedule(ACTOR, input, admin);
  await sales.runAt(FRIDAY);
  expect(await countItems()).toBe(2);
});
