import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestCatalogue } from '../testing/open-test-catalogue.ts';
import { ACTOR, openTestCatalogue } from '../testing/open-test-catalogue.ts';

let opened: TestCatalogue;
beforeAll(async () => {
  opened = await openTestCatalogue();
});
afterAll(() => opened.close());

const OTHER = { ...ACTOR, accountId: 'viewer-2' };
const FIELDS = { kind: 'item' as const, name: 'Prices', search: '?cols=name,price', shared: false };

const namesFor = async (actor: typeof ACTOR, sandbox_id: string) => {
  const { views } = await opened.catalogue.views.list(actor, { sandbox_id, kind: 'item' });
  return views.map(({ name }) => name);
};

test('a view belongs to one account until it is shared', async () => {
  const sandbox_id = await opened.addSandbox();
  const { views } = opened.catalogue;
  const made = await views.create(ACTOR, { sandbox_id, ...FIELDS }, true);
  expect(made).toMatchObject({ ...FIELDS, owner_id: ACTOR.accountId });
  await views.create(OTHER, { sandbox_id, ...FIELDS, name: 'Weights' }, false);
  const xp = { sandbox_id, ...FIELDS, kind: 'xp' as const };
  await views.create(ACTOR, xp, true);
  expect(await namesFor(ACTOR, sandbox_id)).toEqual(['Prices']);
  expect(await namesFor(OTHER, sandbox_id)).toEqual(['Weights']);
  const ref = { sandbox_id, view_id: made.view_id };
  const notFound = { code: 'view_not_found' };
  await expect(views.update(OTHER, { ...ref, name: 'Mine' }, true)).rejects.toMatchObject(notFound);
  await expect(views.remove(OTHER, ref, true)).rejects.toMatchObject(notFound);
  await views.update(ACTOR, { ...ref, shared: true, search: '?sort=name' }, true);
  expect(await namesFor(OTHER, sandbox_id)).toEqual(['Prices', 'Weights']);
  await views.remove(OTHER, ref, true);
  expect(await namesFor(ACTOR, sandbox_id)).toEqual([]);
});

test('a view that several calls remove and change at once is not found by all but one', async () => {
  const sandbox_id = await opened.addSandbox();
  const { views } = opened.catalogue;
  const made = await views.create(ACTOR, { sandbox_id, ...FIELDS }, true);
  const ref = { sandbox_id, view_id: made.view_id };
  const done = await Promise.allSettled([
    ...Array.from({ length: 4 }, () => views.remove(ACTOR, ref, true)),
    ...Array.from({ length: 4 }, () => views.update(ACTOR, { ...ref, name: 'Late' }, true)),
  ]);
  const failures = done.flatMap((one) => (one.status === 'rejected' ? [one.reason.code] : []));
  expect(new Set(failures)).toEqual(new Set(['view_not_found']));
  expect(await namesFor(ACTOR, sandbox_id)).toEqual([]);
});

test('a shared view needs the permission to edit, and is in the audit log', async () => {
  const sandbox_id = await opened.addSandbox();
  const { views } = opened.catalogue;
  const refused = { code: 'insufficient_permissions' };
  const shared = { sandbox_id, ...FIELDS, shared: true };
  await expect(views.create(OTHER, shared, false)).rejects.toMatchObject(refused);
  const own = await views.create(OTHER, { sandbox_id, ...FIELDS }, false);
  const mine = { sandbox_id, view_id: own.view_id };
  await views.update(OTHER, { ...mine, name: 'Renamed' }, false);
  await expect(views.update(OTHER, { ...mine, shared: true }, false)).rejects.toMatchObject(
    refused,
  );
  await views.remove(OTHER, mine, false);
  const made = await views.create(ACTOR, shared, true);
  const ref = { sandbox_id, view_id: made.view_id };
  await expect(views.update(OTHER, { ...ref, name: 'No' }, false)).rejects.toMatchObject(refused);
  await expect(views.remove(OTHER, ref, false)).rejects.toMatchObject(refused);
  await views.update(ACTOR, { ...ref, name: 'Yes' }, true);
  await views.remove(ACTOR, ref, true);
  const records = await opened.database.prisma.auditRecord.findMany({
    where: { sandboxId: sandbox_id, action: { startsWith: 'views.' } },
    orderBy: { auditId: 'asc' },
  });
  expect(records.map(({ action, target }) => [action, target])).toEqual(
    ['views.create', 'views.update', 'views.remove'].map((action) => [action, ref]),
  );
});

test('an account has a hundred views in a sandbox', async () => {
  const sandbox_id = await opened.addSandbox();
  const { views } = opened.catalogue;
  const view = { sandbox_id, ...FIELDS };
  for (let count = 0; count < 100; count += 1) await views.create(ACTOR, view, true);
  const tooMany = { code: 'too_many_views' };
  await expect(views.create(ACTOR, view, true)).rejects.toMatchObject(tooMany);
  await views.create(OTHER, view, true);
  const shared = await views.create(ACTOR, { ...view, shared: true }, true);
  const ref = { sandbox_id, view_id: shared.view_id };
  await expect(views.update(ACTOR, { ...ref, shared: false }, true)).rejects.toMatchObject(tooMany);
  expect(await namesFor(ACTOR, sandbox_id)).toHaveLength(101);
});

test('views of unknown and archived sandboxes do not change', async () => {
  const sandbox_id = await opened.addSandbox();
  const { views, sandboxes } = opened.catalogue;
  const unknown = '00000000-0000-4000-8000-00000000dead';
  const notFound = { code: 'sandbox_not_found' };
  await expect(namesFor(ACTOR, unknown)).rejects.toMatchObject(notFound);
  await expect(views.create(ACTOR, { ...FIELDS, sandbox_id: unknown }, true)).rejects.toMatchObject(
    notFound,
  );
  const authority = { administers: true, confirmedName: undefined };
  await sandboxes.archive(ACTOR, { sandbox_id }, authority);
  await expect(views.create(ACTOR, { ...FIELDS, sandbox_id }, true)).rejects.toMatchObject({
    code: 'sandbox_archived',
  });
});
