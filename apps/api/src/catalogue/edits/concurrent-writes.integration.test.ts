import { openDatabase } from '@muster/database';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestCatalogue } from '../testing/open-test-catalogue.ts';
import {
  ACTOR,
  anItem,
  anXp,
  createTestCatalogue,
  openTestCatalogue,
  readChain,
} from '../testing/open-test-catalogue.ts';

let opened: TestCatalogue;
beforeAll(async () => {
  opened = await openTestCatalogue();
});
afterAll(() => opened.close());

test('writers of three processes on one sandbox create positions 1..n and one unbroken chain', {
  timeout: 60_000,
}, async () => {
  const sandbox_id = await opened.addSandbox();
  const databases = [1, 2, 3].map(() => openDatabase({ url: opened.url, maxConnections: 3 }));
  const catalogues = databases.map((database) => createTestCatalogue(database));
  await Promise.all(
    catalogues.flatMap(({ items, xp }) =>
      Array.from({ length: 15 }, async (_, index) => {
        const { item_id } = await items.create(ACTOR, { sandbox_id, ...anItem(`Item ${index}`) });
        await xp.create(ACTOR, { sandbox_id, ...anXp(`Xp ${index}`) });
        await items.delete(ACTOR, { sandbox_id, item_id, expected_version: 1 });
      }),
    ),
  );
  const chain = await readChain(opened.database, sandbox_id);
  expect(chain).toMatchObject({ broken: [], headMatches: true });
  expect(chain.positions).toEqual(Array.from({ length: 135 }, (_, index) => index + 1));
  expect(chain.issuedAt).toEqual(chain.issuedAt.toSorted((left, right) => left - right));
  await Promise.all(databases.map((database) => database.close()));
});

test('writes exactly one of 20 edits that are based on the same version', async () => {
  const sandbox_id = await opened.addSandbox();
  const { items } = opened.catalogue;
  const { item_id } = await items.create(ACTOR, { sandbox_id, ...anItem('Axe') });
  const edits = Array.from({ length: 20 }, (_, index) =>
    items.update(ACTOR, { sandbox_id, item_id, expected_version: 1, name: `Axe ${index}` }),
  );
  const outcomes = await Promise.allSettled(edits);
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(await items.get({ sandbox_id, item_id })).toMatchObject({ version: 2 });
});

test('times never decrease with positions, even when the clock is set back', async () => {
  const times = [3000, 1000, 2000, 5000];
  let calls = 0;
  const now = () => new Date(times[calls++ % times.length] ?? 0);
  const { database } = opened;
  const { sandboxes, items } = createTestCatalogue(database, { now });
  const { sandbox_id } = await sandboxes.create(ACTOR, { name: 'Clock' });
  calls = 0;
  for (const name of ['a', 'b', 'c', 'd']) {
    await items.create(ACTOR, { sandbox_id, ...anItem(name) });
  }
  const { issuedAt } = await readChain(database, sandbox_id);
  expect(issuedAt).toEqual([3000, 3000, 3000, 5000]);
});

test('a version that is changed, removed or moved breaks the chain', async () => {
  const sandbox_id = await opened.addSandbox();
  const { items } = opened.catalogue;
  for (const name of ['a', 'b', 'c', 'd']) {
    await items.create(ACTOR, { sandbox_id, ...anItem(name) });
  }
  const key = { sandboxId_seq: { sandboxId: sandbox_id, seq: 2 } };
  const { catalogueVersion } = opened.database.prisma;
  const { accountId } = await catalogueVersion.findUniqueOrThrow({ where: key });
  await catalogueVersion.update({ where: key, data: { accountId: 'someone else' } });
  expect((await readChain(opened.database, sandbox_id)).broken).toEqual([2]);
  await catalogueVersion.update({ where: key, data: { accountId } });
  expect((await readChain(opened.database, sandbox_id)).broken).toEqual([]);
  await catalogueVersion.delete({ where: key });
  expect((await readChain(opened.database, sandbox_id)).broken).toEqual([3]);
});
