// How reviews and schedules of one change set combine, with a clock that the test moves.
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { NO_AUTHORITY } from '../testing/change-set-calls.ts';
import { ACTOR } from '../testing/open-test-catalogue.ts';
import type { Sales } from '../testing/scheduled-sales.ts';
import { FRIDAY, MONDAY, openSales } from '../testing/scheduled-sales.ts';

let sales: Sales;
beforeAll(async () => {
  sales = await openSales();
});
afterAll(() => sales.close());
beforeEach(() => sales.setClock('2026-11-27T17:00:00Z'));
afterEach(() => expect(sales.failures).toEqual([]));

const addPerson = async () => {
  const id = randomUUID();
  const data = { id, name: id, email: `${id}@example.com`, role: 'editor' };
  await sales.database.prisma.accountUser.create({ data });
  return { ...ACTOR, accountId: id };
};

/** A sale in a sandbox that requires an approval. */
const makeReviewed = async () => {
  const sale = await sales.makeSale();
  const { changeSets, sandboxes } = sales.catalogue;
  const { sandbox_id } = sale;
  const requireApprovals = (required_approvals: number) =>
    sandboxes.update(ACTOR, { sandbox_id, required_approvals }, NO_AUTHORITY);
  await requireApprovals(1);
  const revised = async () => ({ ...sale.ref, expected_revision: (await sale.get()).revision });
  return {
    ...sale,
    requireApprovals,
    revised,
    submit: async () => changeSets.submit(ACTOR, await revised()),
    approve: async (person: typeof ACTOR) => changeSets.approve(person, await revised()),
    reject: async (person: typeof ACTOR) =>
      changeSets.reject(person, { ...(await revised()), reason: 'Too cheap' }),
    scheduleAs: async (person: typeof ACTOR, return_at?: string) => {
      const input = { ...(await revised()), apply_at: FRIDAY, return_at };
      return changeSets.schedule(person, input, NO_AUTHORITY);
    },
    unscheduleAs: async (person: typeof ACTOR) => changeSets.unschedule(person, await revised()),
  };
};

const closed = { code: 'change_set_closed' };

describe('discarding', () => {
  test('keeps a set that once had an approval', async () => {
    const { changeSets } = sales.catalogue;
    const sale = await makeReviewed();
    await sale.submit();
    await sale.approve(await addPerson());
    await changeSets.update(ACTOR, { ...(await sale.revised()), title: 'Sale' });
    const cancelled = await changeSets.cancel(ACTOR, { ...sale.ref, discard: true });
    expect(cancelled).toMatchObject({ state: 'cancelled', operation_count: 0 });
    expect(await sale.get()).toMatchObject({ state: 'cancelled' });
  });

  test('is only for drafts', async () => {
    const sale = await makeReviewed();
    await sale.submit();
    const refused = sales.catalogue.changeSets.cancel(ACTOR, { ...sale.ref, discard: true });
    await expect(refused).rejects.toMatchObject(closed);
    expect(await sale.get()).toMatchObject({ state: 'in_review', operation_count: 1 });
  });
});

describe('a set that failed or has a conflict', () => {
  test('is submitted again, without its schedule and failure', async () => {
    const sale = await makeReviewed();
    const kim = await addPerson();
    for (const state of ['failed', 'conflicted']) {
      sales.setClock('2026-11-27T17:00:00Z');
      await sale.submit();
      await sale.approve(kim);
      await sale.scheduleAs(kim, MONDAY);
      if (state === 'conflicted') {
        await sale.requireApprovals(0);
        await sale.edit({ custom_data: { price: '90' } });
        await sale.requireApprovals(1);
      }
      await sales.runAt(FRIDAY, state === 'failed' ? 16 : 0);
      expect(await sale.get()).toMatchObject({ state, failure: { needs_attention: true } });
      const submitted = await sale.submit();
      expect(submitted).toMatchObject({ state: 'in_review' });
      expect(submitted).not.toHaveProperty('schedule');
      expect(submitted).not.toHaveProperty('failure');
      await sale.reject(kim);
    }
  });
});

describe('a scheduled set', () => {
  test('is rejected, and not applied at its moment', async () => {
    const sale = await makeReviewed();
    const kim = await addPerson();
    await sale.submit();
    await sale.approve(kim);
    await sale.scheduleAs(kim, MONDAY);
    const rejected = await sale.reject(kim);
    expect(rejected).toMatchObject({ state: 'rejected' });
    expect(rejected).not.toHaveProperty('schedule');
    await sales.runAt(FRIDAY);
    expect(await sale.readPrice()).toBe('100');
    expect(await sale.get()).toMatchObject({ state: 'rejected' });
  });

  test('may still be in review, once it has enough approvals', async () => {
    const sale = await makeReviewed();
    await sale.requireApprovals(2);
    await sale.submit();
    await sale.approve(await addPerson());
    await expect(sale.scheduleAs(ACTOR)).rejects.toMatchObject({ code: 'review_required' });
    await sale.requireApprovals(1);
    expect(await sale.get()).toMatchObject({ state: 'in_review' });
    expect(await sale.scheduleAs(ACTOR)).toMatchObject({ state: 'scheduled' });
  });
});

describe('a return in a sandbox that requires approvals', () => {
  test('is scheduled by the person who approved the set, and done', async () => {
    const sale = await makeReviewed();
    const kim = await addPerson();
    await sale.submit();
    await sale.approve(kim);
    await expect(sale.scheduleAs(ACTOR, MONDAY)).rejects.toMatchObject({ code: 'own_change' });
    await sale.scheduleAs(kim, MONDAY);
    await sales.runAt(FRIDAY);
    expect(await sale.readPrice()).toBe('80');
    await sales.runAt(MONDAY);
    expect(await sale.readPrice()).toBe('100');
    expect(await sale.get()).toMatchObject({ state: 'reverted' });
  });

  test('is not dropped by a person who changed the set', async () => {
    const sale = await makeReviewed();
    const kim = await addPerson();
    await sale.submit();
    await sale.approve(kim);
    await sale.scheduleAs(kim, MONDAY);
    await sales.runAt(FRIDAY);
    await expect(sale.unscheduleAs(ACTOR)).rejects.toMatchObject({ code: 'own_change' });
    const kept = await sale.unscheduleAs(kim);
    expect(kept).toMatchObject({ state: 'applied' });
    expect(kept.schedule).not.toHaveProperty('return_at');
  });
});
