import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Transaction } from '../src/history-store.ts';
import { mirrorHistory } from '../src/mirror-history.ts';
import type { FakeService } from './fake-service.ts';
import { startFakeService } from './fake-service.ts';
import { makeStore, readVersions } from './temporary-store.ts';

const HISTORY = {
  sandbox_id: '0b9f2c1e-6a53-4e0b-8f57-2f6f0d3c9a10',
  kind: 'item',
  page_size: 3,
} as const;

type Place = ReturnType<typeof makeStore>;

const mirror = ({ muster }: FakeService, { store }: Place) => mirrorHistory(muster, HISTORY, store);

const versions = (count: number) => Array.from({ length: count }, (_, index) => `v${index + 1}`);

test('mirrors every version once, oldest first', async () => {
  const [service, place] = [startFakeService(), makeStore('item')];
  service.write(10);
  expect(await mirror(service, place)).toBe(10);
  expect(readVersions(place.file)).toEqual(versions(10));
  expect(readdirSync(place.folder)).toEqual(['item.jsonl']);
});

test('adds nothing when nothing is new, and asks for one page only', async () => {
  const [service, place] = [startFakeService(), makeStore('item')];
  service.write(10);
  await mirror(service, place);
  const before = service.pages();
  expect(await mirror(service, place)).toBe(0);
  expect(service.pages() - before).toBe(1);
  expect(readVersions(place.file)).toEqual(versions(10));
});

test.each([0, 1, 2, 3])(
  'has no gap after a run that broke after %i pages, while others write',
  async (pages) => {
    const [service, place] = [startFakeService(), makeStore('item')];
    service.write(5);
    await mirror(service, place);
    service.write(9);
    service.breakAfter(pages);
    await expect(mirror(service, place)).rejects.toMatchObject({ kind: 'network' });
    expect(readVersions(place.file)).toEqual(versions(5));
    service.write(4);
    service.breakAfter(undefined);
    expect(await mirror(service, place)).toBe(13);
    expect(readVersions(place.file)).toEqual(versions(18));
  },
);

test('does not fetch again what an interrupted run has fetched', async () => {
  const [service, place] = [startFakeService(), makeStore('item')];
  service.write(9);
  service.breakAfter(2);
  await expect(mirror(service, place)).rejects.toMatchObject({ kind: 'network' });
  service.breakAfter(undefined);
  const before = service.pages();
  await mirror(service, place);
  // The third page of the walk, and one to see that nothing is new.
  expect(service.pages() - before).toBe(2);
});

test('adds nothing twice when a run ended between the new mirror and the tidying up', async () => {
  const [service, place] = [startFakeService(), makeStore('item')];
  service.write(6);
  await mirror(service, place);
  const walked = versions(6).map((version_id) => ({ version_id }) as Transaction);
  await place.store.savePage({ transactions: walked.slice(3).toReversed(), cursor: '3' });
  await place.store.savePage({ transactions: walked.slice(0, 3).toReversed() });
  expect(await mirror(service, place)).toBe(0);
  expect(readVersions(place.file)).toEqual(versions(6));
});

test('refuses to continue with a history that is not the one it mirrors', async () => {
  const [service, place] = [startFakeService(), makeStore('item')];
  service.write(4);
  await mirror(service, place);
  const other = startFakeService();
  other.write(3);
  await expect(mirror(other, place)).rejects.toMatchObject({ name: 'ForeignMirrorError' });
  expect(readVersions(place.file)).toEqual(versions(4));
  service.write(1);
  expect(await mirror(service, place)).toBe(1);
});
