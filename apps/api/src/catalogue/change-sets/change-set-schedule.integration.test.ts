// Scheduled change sets with a clock that the test moves.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { NO_AUTHORITY, refOf } from '../testing/change-set-calls.ts';
import { ACTOR } from '../testing/open-test-catalogue.ts';
import type { Sales } from '../testing/scheduled-sales.ts';
import { FRIDAY, MONDAY, openSales } from '../testing/scheduled-sales.ts';

let sales: Sales;
beforeAll(async () => {
  sales = await openSales();
});
afterAll(() => sales.close());
beforeEach(() => {
  sales.setClock('2026-11-27T17:00:00Z');
  sales.setPermissions();
});
afterEach(() => expect(sales.failures).toEqual([]));

const changeSets = () => sales.catalogue.changeSets;

describe('a scheduled change set', () => {
  test('is applied at its moment and reverted at the other, each once', async () => {
    const sale = await sales.makeSale();
    expect(await sale.schedule()).toMatchObject({
      state: 'scheduled',
      schedule: {
        apply_at: FRIDAY,
        return_at: MONDAY,
        account_id: ACTOR.accountId,
        next_step: 'apply',
      },
    });
    await sales.runAt('2026-11-27T17:59:59.999Z');
    expect(await sale.readPrice()).toBe('100');
    await sales.runAt(FRIDAY);
    await sales.runAt(FRIDAY, 1);
    expect(await sale.readItem()).toMatchObject({ version: 2, custom_data: { price: '80' } });
    expect(await sale.get()).toMatchObject({
      state: 'applied',
      applied: { account_id: ACTOR.accountId },
      schedule: { next_step: 'return' },
    });
    await sales.runAt(MONDAY, -1);
    expect(await sale.readPrice()).toBe('80');
    await sales.runAt(MONDAY);
    await sales.runAt(MONDAY, 1);
    expect(await sale.readItem()).toMatchObject({ version: 3, custom_data: { price: '100' } });
    const returned = await sale.get();
    expect(returned).toMatchObject({ state: 'reverted' });
    expect(returned.schedule).not.toHaveProperty('next_step');
    const kinds = (await sales.readEvents(sale.sandbox_id)).map(({ kind }) => kind);
    expect(kinds).toEqual(['change_set_applied', 'change_set_applied']);
    expect(await sales.expectChain(sale.sandbox_id)).toBe(3);
  });

  test('keeps later changes of other fields when it returns', async () => {
    const sale = await sales.makeSale();
    await sale.schedule();
    await sales.runAt(FRIDAY);
    await sale.edit({ description: 'Sharp', custom_data: { price: '80', rarity: 'rare' } });
    await sales.runAt(MONDAY);
    expect(await sale.readItem()).toMatchObject({
      description: 'Sharp',
      custom_data: { price: '100', rarity: 'rare' },
    });
    await sales.expectChain(sale.sandbox_id);
  });

  test('is applied once by two processes at the same moment', async () => {
    const made = await Promise.all(Array.from({ length: 4 }, () => sales.makeSale()));
    for (const sale of made) await sale.schedule();
    const schedulers = [sales.createScheduler(), sales.createScheduler()];
    for (const moment of [FRIDAY, MONDAY]) {
      sales.setClock(moment);
      await Promise.all(schedulers.map(({ runDue }) => runDue()));
      await sales.runAt(moment);
    }
    for (const sale of made) {
      expect(await sale.readItem()).toMatchObject({ version: 3, custom_data: { price: '100' } });
      await sales.expectChain(sale.sandbox_id);
    }
  });

  test('becomes a draft when it is changed, and is never applied once it is cancelled', async () => {
    const [edited, cancelled] = [await sales.makeSale(), await sales.makeSale()];
    await edited.schedule();
    const { revision } = await edited.get();
    const update = { ...edited.ref, title: 'Sale', expected_revision: revision };
    const draft = await changeSets().update(ACTOR, update);
    expect(draft).toMatchObject({ state: 'draft', title: 'Sale' });
    expect(draft).not.toHaveProperty('schedule');
    await cancelled.schedule();
    await changeSets().cancel(ACTOR, cancelled.ref);
    await sales.runAt(FRIDAY);
    expect(await edited.readPrice()).toBe('100');
    expect(await cancelled.readPrice()).toBe('100');
    expect(await cancelled.get()).toMatchObject({ state: 'cancelled' });
  });

  test('is not applied after its schedule is cancelled, or not reverted if it was applied before', async () => {
    const [draft, applied] = [await sales.makeSale(), await sales.makeSale()];
    await draft.schedule();
    expect(await draft.unschedule()).toMatchObject({ state: 'draft' });
    await expect(draft.unschedule()).rejects.toMatchObject({
      code: 'change_set_closed',
    });
    await applied.schedule();
    await sales.runAt(FRIDAY);
    const kept = await applied.unschedule();
    expect(kept).toMatchObject({ state: 'applied', schedule: { apply_at: FRIDAY } });
    expect(kept.schedule).not.toHaveProperty('return_at');
    await sales.runAt(MONDAY);
    expect(await draft.readPrice()).toBe('100');
    expect(await applied.readPrice()).toBe('80');
  });

  test('does not return after a person has reverted it', async () => {
    const sale = await sales.makeSale();
    await sale.schedule();
    await sales.runAt(FRIDAY);
    await sales.apply(await changeSets().revert(ACTOR, sale.ref));
    await sales.runAt(MONDAY);
    expect(await sale.readItem()).toMatchObject({ version: 3, custom_data: { price: '100' } });
    expect(await sale.get()).not.toHaveProperty('failure');
  });

  test('returns without a change when the records are as before already', async () => {
    const sale = await sales.makeSale();
    await sale.schedule();
    await sales.runAt(FRIDAY);
    await sale.edit({ custom_data: { price: '100' } });
    await sales.runAt(MONDAY);
    expect(await sale.readItem()).toMatchObject({ version: 3 });
    expect(await sale.get()).toMatchObject({ state: 'reverted' });
  });

  test('needs moments in the future, in order, within a year', async () => {
    const sale = await sales.makeSale();
    for (const [apply_at, return_at, place] of [
      ['2026-11-27T17:00:00Z', undefined, 'apply_at'],
      [FRIDAY, FRIDAY, 'return_at'],
      [FRIDAY, '2028-01-01T00:00:00Z', 'return_at'],
    ] as const) {
      const refused = sale.schedule(apply_at, return_at);
      await expect(refused).rejects.toMatchObject({ code: 'input_invalid', evidence: { place } });
    }
  });

  test('cannot be applied by a person before its moment', async () => {
    const sale = await sales.makeSale();
    const refused = sales.apply(await sale.schedule());
    await expect(refused).rejects.toMatchObject({ code: 'change_set_closed' });
  });
});

describe('a scheduled step that is late or not possible', () => {
  const expectFailure = async (
    sale: Awaited<ReturnType<Sales['makeSale']>>,
    failure: object,
    state = 'failed',
  ) => {
    const set = await sale.get();
    expect(set).toMatchObject({ state, failure: { ...failure, needs_attention: true } });
    const events = await sales.readEvents(sale.sandbox_id);
    expect(events.at(-1)).toMatchObject({ kind: 'change_set_failed', detail: failure });
    await sales.expectChain(sale.sandbox_id);
    return set;
  };

  test('is applied 15 minutes late, and fails after that', async () => {
    const [late, missed] = [await sales.makeSale(), await sales.makeSale()];
    await late.schedule();
    await sales.runAt(FRIDAY, 15);
    expect(await late.readPrice()).toBe('80');
    sales.setClock('2026-11-27T17:00:00Z');
    await missed.schedule();
    await sales.runAt(FRIDAY, 15.1);
    await expectFailure(missed, { step: 'apply', code: 'too_late' });
    expect(await missed.readPrice()).toBe('100');
    await sales.runAt(MONDAY);
    expect(await missed.readPrice()).toBe('100');
  });

  test('waits for the end of maintenance, and fails when that is too late', async () => {
    const [waited, missed] = [await sales.makeSale(), await sales.makeSale()];
    await waited.schedule();
    await missed.schedule('2026-11-27T19:00:00Z');
    sales.setMaintained(true);
    await sales.runAt(FRIDAY);
    expect(await waited.get()).toMatchObject({ state: 'scheduled' });
    sales.setMaintained(false);
    await sales.runAt(FRIDAY, 10);
    expect(await waited.readPrice()).toBe('80');
    sales.setMaintained(true);
    await sales.runAt('2026-11-27T19:00:00Z');
    sales.setMaintained(false);
    await sales.runAt('2026-11-27T19:16:00Z');
    await expectFailure(missed, { step: 'apply', code: 'too_late' });
  });

  test('is not applied after its return', async () => {
    const sale = await sales.makeSale();
    await sale.schedule(FRIDAY, '2026-11-27T18:05:00Z');
    await sales.runAt(FRIDAY, 6);
    await expectFailure(sale, { step: 'apply', code: 'both_moments_passed' });
    expect(await sale.readItem()).toMatchObject({ version: 1 });
  });

  test('fails when its account is disabled or lost the permission', async () => {
    const [disabled, demoted] = [await sales.makeSale(), await sales.makeSale()];
    await disabled.schedule(FRIDAY, undefined);
    await demoted.schedule('2026-11-27T19:00:00Z', undefined);
    sales.setPermissions(null);
    await sales.runAt(FRIDAY);
    await expectFailure(disabled, { step: 'apply', code: 'account_disabled' });
    sales.setPermissions(['sandbox:config:view']);
    await sales.runAt('2026-11-27T19:00:00Z');
    await expectFailure(demoted, { step: 'apply', code: 'insufficient_permissions' });
    expect(await disabled.readPrice()).toBe('100');
    expect(await demoted.readPrice()).toBe('100');
  });

  test('fails in an archived and in a deleted sandbox', async () => {
    const { sandboxes } = sales.catalogue;
    const confirmed = { administers: true, confirmedName: 'Live' };
    for (const [end, code] of [
      ['archive', 'sandbox_archived'],
      ['delete', 'sandbox_not_found'],
    ] as const) {
      const sale = await sales.makeSale();
      await sale.schedule();
      await sandboxes[end](ACTOR, { sandbox_id: sale.sandbox_id }, confirmed);
      await sales.runAt(FRIDAY);
      const { prisma } = sales.database;
      const { sandbox_id: sandboxId, change_set_id: changeSetId } = sale;
      const where = { sandboxId_changeSetId: { sandboxId, changeSetId } };
      const stored = await prisma.changeSet.findUniqueOrThrow({ where });
      expect(stored).toMatchObject({ state: 'failed', failureCode: code, nextStepAt: null });
      sales.setClock('2026-11-27T17:00:00Z');
    }
  });

  test('is a conflict when a record has changed in the same field', async () => {
    const sale = await sales.makeSale();
    await sale.schedule();
    await sale.edit({ custom_data: { price: '90' } });
    await sales.runAt(FRIDAY);
    await expectFailure(sale, { step: 'apply', code: 'change_set_conflict' }, 'conflicted');
    expect(await sale.readPrice()).toBe('90');
  });

  test('leaves the changes in effect when the return has a conflict', async () => {
    const sale = await sales.makeSale();
    await sale.schedule();
    await sales.runAt(FRIDAY);
    await sale.edit({ custom_data: { price: '70' } });
    await sales.runAt(MONDAY);
    await expectFailure(sale, { step: 'return', code: 'change_set_conflict' }, 'applied');
    expect(await sale.readPrice()).toBe('70');
    const { change_sets } = await changeSets().list({ sandbox_id: sale.sandbox_id }, null, 10);
    expect(change_sets).toHaveLength(1);
    await sale.edit({ custom_data: { price: '80' } });
    await sales.apply(await changeSets().revert(ACTOR, sale.ref));
    const reverted = { state: 'reverted', failure: { needs_attention: false } };
    expect(await sale.get()).toMatchObject(reverted);
  });

  test('is listed until it is acknowledged, and can be scheduled again', async () => {
    const sale = await sales.makeSale();
    await sale.schedule();
    await sales.runAt(FRIDAY, 16);
    const { sandbox_id } = sale;
    const listAttention = async () =>
      (await changeSets().list({ sandbox_id, needs_attention: true }, null, 10)).change_sets;
    expect(await listAttention()).toMatchObject([refOf(sale)]);
    const seen = await changeSets().acknowledge(ACTOR, sale.ref);
    expect(seen).toMatchObject({ state: 'failed', failure: { needs_attention: false } });
    expect(await listAttention()).toEqual([]);
    const again = await sale.schedule('2026-11-28T18:00:00Z');
    expect(again).toMatchObject({ state: 'scheduled' });
    expect(again).not.toHaveProperty('failure');
    await sales.runAt('2026-11-28T18:00:00Z');
    expect(await sale.readPrice()).toBe('80');
  });
});

test('deletions in a protected sandbox need its name when they are scheduled', async () => {
  const sandbox_id = await sales.addSandbox('Production');
  const { items, sandboxes } = sales.catalogue;
  const held = { administers: true, confirmedName: 'Production' };
  await sandboxes.update(ACTOR, { sandbox_id, protected: true, required_approvals: 0 }, held);
  const set = await changeSets().create(ACTOR, { sandbox_id, title: 'Event' });
  const operation = { kind: 'item', operation: 'create', name: 'Lantern', item_type: 'unit' };
  const { revision } = await changeSets().addOperations(ACTOR, {
    ...refOf(set),
    operations: [{ ...operation, tags: [], custom_data: {} } as never],
  });
  const input = { ...refOf(set), expected_revision: revision, apply_at: FRIDAY };
  const withReturn = { ...input, return_at: MONDAY };
  const administers = { administers: true, confirmedName: undefined };
  for (const [authority, code] of [
    [NO_AUTHORITY, 'sandbox_protected'],
    [administers, 'sandbox_confirmation_required'],
  ] as const) {
    const refused = changeSets().schedule(ACTOR, withReturn, authority);
    await expect(refused).rejects.toMatchObject({ code });
  }
  await changeSets().schedule(ACTOR, withReturn, held);
  await sales.runAt(FRIDAY);
  const page = { include_deleted: false, page_size: 10 };
  expect((await items.list({ sandbox_id, ...page })).records).toHaveLength(1);
  await sales.runAt(MONDAY);
  expect((await items.list({ sandbox_id, ...page })).records).toHaveLength(0);
});
