import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestCatalogue } from '../catalogue/testing/open-test-catalogue.ts';
import {
  ACTOR,
  anItem,
  anXp,
  openTestCatalogue,
} from '../catalogue/testing/open-test-catalogue.ts';
import type { OverviewService } from './overview-router.ts';
import { createOverviewService } from './overview-router.ts';
import { createOverviewStore } from './overview-store.ts';

let opened: TestCatalogue;
let overview: OverviewService;
beforeAll(async () => {
  opened = await openTestCatalogue();
  overview = createOverviewService(createOverviewStore(opened.database));
});
afterAll(() => opened.close());

test('shows counts and the head of the sandbox', async () => {
  const { items, xp } = opened.catalogue;
  const sandbox_id = await opened.addSandbox();
  const sword = await items.create(ACTOR, { sandbox_id, ...anItem('Sword') });
  await xp.create(ACTOR, { sandbox_id, ...anXp('Levels') });
  const gone = await items.create(ACTOR, { sandbox_id, ...anItem('Gone') });
  await items.delete(ACTOR, { sandbox_id, item_id: gone.item_id, expected_version: 1 });
  const edit = { sandbox_id, item_id: sword.item_id, expected_version: 1 };
  await items.update(ACTOR, { ...edit, name: 'Blade', reason: 'Better' });
  const found = await overview.get(['*'], sandbox_id);
  expect(found).toMatchObject({
    counts: { items: 1, xp: 1, deleted: 1 },
    head_seq: 5,
    head_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    live_sessions: 0,
    health: { database_ms: expect.any(Number) },
  });
});

test('hides sessions from callers that may not view them, and shows an empty sandbox', async () => {
  const sandbox_id = await opened.addSandbox('Empty');
  const found = await overview.get([`sandbox:${sandbox_id}:config:view`], sandbox_id);
  expect(found).toEqual({
    counts: { items: 0, xp: 0, deleted: 0 },
    head_seq: 0,
    health: { database_ms: expect.any(Number) },
  });
});

test('refuses an unknown sandbox', async () => {
  const nowhere = '00000000-0000-0000-0000-000000000009';
  const asked = overview.get(['*'], nowhere);
  await expect(asked).rejects.toMatchObject({ code: 'sandbox_not_found' });
});
