// A sandbox compared with itself at an earlier time equals a comparison of the lists of both times.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestCatalogue } from '../testing/open-test-catalogue.ts';
import { ACTOR, anItem, openTestCatalogue } from '../testing/open-test-catalogue.ts';
import type { ComparePosition } from './compare-store.ts';

let opened: TestCatalogue;
beforeAll(async () => {
  opened = await openTestCatalogue();
});
afterAll(() => opened.close());

type ComparePage = Awaited<ReturnType<TestCatalogue['catalogue']['compare']['list']>>;

const compare = async (sandboxId: string, sourceAt: Date, pageSize = 2) => {
  const entries: ComparePage['entries'] = [];
  const request = { target: sandboxId, source: sandboxId, kind: 'item' as const, sourceAt };
  let after: ComparePosition | null = null;
  for (;;) {
    const page: ComparePage = await opened.catalogue.compare.list({
      ...request,
      status: undefined,
      after,
      pageSize,
    });
    entries.push(...page.entries);
    if (!page.next) return { entries, counts: page.counts };
    after = page.next;
  }
};

/** Versions one minute apart, so that each position has its time. */
const spreadTimes = async (sandboxId: string): Promise<void> => {
  const time = "'2026-01-01T00:00:00Z'::timestamptz + seq * interval '1 minute'";
  await opened.database.pool.query(
    `UPDATE catalogue_version SET issued_at = ${time} WHERE sandbox_id = $1::uuid`,
    [sandboxId],
  );
  await opened.database.pool.query(
    `UPDATE catalogue_record r SET created_at = (SELECT min(v.issued_at) FROM catalogue_version v
       WHERE v.sandbox_id = r.sandbox_id AND v.kind = r.kind AND v.record_id = r.record_id)
     WHERE r.sandbox_id = $1::uuid`,
    [sandboxId],
  );
};

const timeOf = (seq: number): Date => new Date(Date.UTC(2026, 0, 1, 0, seq, 1));

const edits = fc.array(
  fc.record({ record: fc.nat(4), change: fc.constantFrom('update', 'delete', 'rename') }),
  { minLength: 1, maxLength: 12 },
);

const apply = async (sandbox_id: string, list: { record: number; change: string }[]) => {
  const { items } = opened.catalogue;
  const states = new Map<number, { item_id: string; version: number; deleted?: true }>();
  for (const { record, change } of list) {
    const state = states.get(record);
    if (!state) {
      states.set(record, await items.create(ACTOR, { sandbox_id, ...anItem(`Item ${record}`) }));
      continue;
    }
    const edit = { sandbox_id, item_id: state.item_id, expected_version: state.version };
    const description = `${state.version % 2}`;
    const next = state.deleted
      ? await items.restore(ACTOR, edit)
      : change === 'delete'
        ? await items.delete(ACTOR, edit)
        : await items.update(ACTOR, { ...edit, description });
    states.set(record, next);
  }
};

const listAt = async (sandboxId: string, seq: number | undefined) => {
  const { records } = await opened.catalogue.reader.listAsOf({
    sandboxId,
    kind: 'item',
    seq,
    at: undefined,
    name: undefined,
    after: null,
    pageSize: 100,
  });
  return new Map(records.map(({ record }) => [(record as { item_id: string }).item_id, record]));
};

describe('a sandbox compared with its past', () => {
  test('has the differences of the lists of both times', async () => {
    await fc.assert(
      fc.asyncProperty(edits, async (list) => {
        const sandboxId = await opened.addSandbox();
        await apply(sandboxId, list);
        await spreadTimes(sandboxId);
        const now = await listAt(sandboxId, undefined);
        for (let seq = 0; seq <= list.length; seq += 1) {
          const old = await listAt(sandboxId, seq);
          const { entries, counts } = await compare(sandboxId, timeOf(seq));
          const ids = [...new Set([...old.keys(), ...now.keys()])].sort();
          const expected = ids.flatMap((id) => {
            const [source, target] = [old.get(id), now.get(id)];
            if (JSON.stringify(source) === JSON.stringify(target)) return [];
            return [[id, source, target]];
          });
          expect(
            entries.map(({ record_id, source, target }) => [
              record_id,
              source?.record,
              target?.record,
            ]),
          ).toEqual(expected);
          const { same, ...different } = counts;
          expect(same).toBe(ids.length - expected.length);
          const sum = Object.values(different).reduce((total, count) => total + count, 0);
          expect(sum).toBe(expected.length);
        }
      }),
      { numRuns: 15 },
    );
  });

  test('is filtered by status', async () => {
    const sandbox_id = await opened.addSandbox();
    const { items } = opened.catalogue;
    const axe = await items.create(ACTOR, { sandbox_id, ...anItem('Axe') });
    const bow = await items.create(ACTOR, { sandbox_id, ...anItem('Bow') });
    const edit = { sandbox_id, expected_version: 1 };
    await items.update(ACTOR, { ...edit, item_id: axe.item_id, tags: ['new'] });
    await items.delete(ACTOR, { ...edit, item_id: bow.item_id });
    await items.create(ACTOR, { sandbox_id, ...anItem('Club') });
    await spreadTimes(sandbox_id);
    const namesOf = async (status: 'only_source' | 'only_target' | 'different') => {
      const { entries } = await opened.catalogue.compare.list({
        target: sandbox_id,
        source: sandbox_id,
        sourceAt: timeOf(2),
        kind: 'item',
        status,
        after: null,
        pageSize: 50,
      });
      return entries.map(({ name, source, target }) => [name, source?.version, target?.version]);
    };
    expect(await namesOf('different')).toEqual([['Axe', 1, 2]]);
    expect(await namesOf('only_source')).toEqual([['Bow', 1, undefined]]);
    expect(await namesOf('only_target')).toEqual([['Club', undefined, 1]]);
  });

  test('needs one and the same existing sandbox', async () => {
    const [one, other] = [await opened.addSandbox(), await opened.addSandbox()];
    const request = {
      kind: 'item' as const,
      status: undefined,
      after: null,
      pageSize: 1,
      sourceAt: new Date(),
    };
    const { list } = opened.catalogue.compare;
    await expect(list({ ...request, target: one, source: other })).rejects.toMatchObject({
      code: 'input_invalid',
    });
    const unknown = '00000000-0000-4000-8000-00000000dead';
    await expect(list({ ...request, target: unknown, source: unknown })).rejects.toMatchObject({
      code: 'sandbox_not_found',
    });
  });
});
