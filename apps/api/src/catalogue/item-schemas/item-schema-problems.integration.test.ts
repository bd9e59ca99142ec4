// The list of Items that do not fit reads thousands of them: it waits with the other long reads.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSemaphore } from '../../flow/index.ts';
import { createCatalogueStore } from '../edits/catalogue-store.ts';
import { createCatalogueWriter } from '../edits/catalogue-writer.ts';
import type { TestCatalogue } from '../testing/open-test-catalogue.ts';
import { ACTOR, anItem, openTestCatalogue } from '../testing/open-test-catalogue.ts';
import { createItemSchemaService } from './item-schema-service.ts';
import { createItemSchemaStore } from './item-schema-store.ts';

let opened: TestCatalogue;
beforeAll(async () => {
  opened = await openTestCatalogue();
});
afterAll(() => opened.close());

test('a search for Items that do not fit takes a slot of the long reads', async () => {
  const { database, catalogue } = opened;
  const sandbox_id = await opened.addSandbox();
  await catalogue.items.create(ACTOR, { sandbox_id, ...anItem('Sword') });
  const longReads = createSemaphore(1, 0);
  const sources = { now: () => new Date(), newId: () => crypto.randomUUID() };
  const service = createItemSchemaService({
    store: createItemSchemaStore(database),
    writer: createCatalogueWriter(createCatalogueStore(database), sources),
    longReads,
    sources,
  });
  await service.set(ACTOR, {
    sandbox_id,
    item_type: 'unit',
    expected_version: 0,
    fields: [{ key: 'price', type: 'number', required: true }],
  });
  const end = Promise.withResolvers<void>();
  const held = longReads(() => end.promise);
  const refused = service.problems({ sandbox_id }, null, 10);
  await expect(refused).rejects.toMatchObject({ code: 'service_unavailable' });
  end.resolve();
  await held;
  const found = await service.problems({ sandbox_id }, null, 10);
  expect(found).toMatchObject({ items: [{ name: 'Sword' }], next: null });
});
