// A change set of the largest size: time and memory.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestCatalogue } from '../testing/open-test-catalogue.ts';
import { ACTOR, anItem, openTestCatalogue, readChain } from '../testing/open-test-catalogue.ts';

const OPERATIONS = 50_000;
const IN_ONE_CALL = 1_000;
const AUTHORITY = { administers: true, confirmedName: undefined };

let opened: TestCatalogue;
beforeAll(async () => {
  opened = await openTestCatalogue();
});
afterAll(() => opened.close());

const measure = async <T>(work: () => Promise<T>) => {
  const startedAt = performance.now();
  const result = await work();
  return { result, seconds: (performance.now() - startedAt) / 1_000 };
};

test('a set of 50,000 operations is filled, previewed, applied and reverted within a minute each', async () => {
  const { changeSets, edits } = opened.catalogue;
  const sandbox_id = await opened.addSandbox();
  const made = await changeSets.create(ACTOR, { sandbox_id, title: 'Season 2' });
  const ref = { sandbox_id, change_set_id: made.change_set_id };
  const calls: number[] = [];
  for (let first = 0; first < OPERATIONS; first += IN_ONE_CALL) {
    const operations = Array.from({ length: IN_ONE_CALL }, (_, index) => ({
      kind: 'item' as const,
      operation: 'create' as const,
      ...anItem(`Item ${first + index}`),
      description: 'x'.repeat(200),
    }));
    const { seconds } = await measure(() =>
      changeSets.addOperations(ACTOR, { ...ref, operations }),
    );
    calls.push(seconds);
  }
  const memory = process.memoryUsage().rss;
  const preview = await measure(() => changeSets.preview(ACTOR, ref, null, 50));
  const counts = { changes: OPERATIONS, unchanged: 0, problems: 0, warnings: 0 };
  expect(preview.result.counts).toEqual(counts);
  const { revision } = await changeSets.get(ref);
  const input = { ...ref, expected_revision: revision };
  const applied = await measure(() => changeSets.apply(ACTOR, input, AUTHORITY));
  expect(applied.result).toMatchObject({ head_seq: OPERATIONS });
  const listed = await measure(() => edits.list(sandbox_id, null, 50));
  expect(listed.result.edits[0]?.counts).toEqual([
    { kind: 'item', operation: 'insert', records: OPERATIONS },
  ]);
  const undo = await measure(() => changeSets.revert(ACTOR, ref));
  expect(undo.result.operation_count).toBe(OPERATIONS);
  const undone = await measure(() =>
    changeSets.apply(
      ACTOR,
      {
        sandbox_id,
        change_set_id: undo.result.change_set_id,
        expected_revision: undo.result.revision,
      },
      AUTHORITY,
    ),
  );
  expect(undone.result.head_seq).toBe(2 * OPERATIONS);
  const seconds = {
    add: Math.max(...calls),
    preview: preview.seconds,
    apply: applied.seconds,
    list: listed.seconds,
    revert: undo.seconds,
    undo: undone.seconds,
  };
  const grown = (process.memoryUsage().rss - memory) / 1_048_576;
  expect(seconds.add).toBeLessThan(5);
  expect(seconds.list).toBeLessThan(5);
  for (const each of Object.values(seconds)) expect(each).toBeLessThan(60);
  expect(grown).toBeLessThan(300);
  const chain = await readChain(opened.database, sandbox_id);
  expect(chain).toMatchObject({ broken: [], headMatches: true });
}, 600_000);
