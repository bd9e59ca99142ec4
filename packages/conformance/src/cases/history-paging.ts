import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { expectProblem, expectProblems, expectProblemsAt } from '../checks.ts';
import type { Kind } from '../fixtures/catalogue.ts';
import { newRecords, newSandbox, ofBothKinds } from '../fixtures/catalogue.ts';
import type { HistoryOf, Query } from '../fixtures/histories.ts';
import {
  historyPath,
  namesOf,
  readHistory,
  transactionsOf,
  tryHistory,
  versionIdsOf,
  walkHistory,
} from '../fixtures/histories.ts';
import type { Context, Prove } from '../target/context.ts';

/** Seven versions, shared by the cases that only read. */
const sharedHistory = (context: Context, kind: Kind) =>
  context.target.once(`seven ${kind.name}`, async () => {
    const sandboxId = await newSandbox(context);
    await newRecords(context, kind, sandboxId, 7);
    return { kind, sandboxId };
  });

/** Makes `count` records in one edit. */
const newBulkHistory = async (context: Context, kind: Kind, count: number): Promise<HistoryOf> => {
  const sandboxId = await newSandbox(context);
  const operations = Array.from({ length: count }, (_, index) => ({
    operation: 'create',
    name: `n${index}`,
    ...kind.required,
  }));
  await context.mutate(`${kind.router}.bulk`, { sandbox_id: sandboxId, operations });
  return { kind, sandboxId };
};

const NEWEST_FIRST = [6, 5, 4, 3, 2, 1, 0].map((index) => `record ${index}`);
const OLDEST_FIRST = NEWEST_FIRST.toReversed();

const PAGE_SIZES_REFUSED = ['0', '-1', '1001', '', 'x', '1.5', '1e2', '%2010', '0x10', '10%20'];

const everyKind = (kind: Kind, prove: Prove) => {
  const refused = (title: string, place: string, query: Query) =>
    prove(`${title} is a 422`, async (context) => {
      const history = { kind, sandboxId: randomUUID() };
      expectProblem(await tryHistory(context, history, query), place);
    });

  return [
    prove('sort_order desc lists the newest first, and is the default', async (context) => {
      const history = await sharedHistory(context, kind);
      assert.deepEqual(namesOf(await readHistory(context, history)), NEWEST_FIRST);
      const desc = await readHistory(context, history, { sort_order: 'desc' });
      assert.deepEqual(namesOf(desc), NEWEST_FIRST);
    }),
    prove('sort_order asc lists the oldest first', async (context) => {
      const history = await sharedHistory(context, kind);
      const asc = await readHistory(context, history, { sort_order: 'asc' });
      assert.deepEqual(namesOf(asc), OLDEST_FIRST);
    }),
    ...['ASC', 'ascending', 'newest', '', '1'].map((sort_order) =>
      refused(`sort_order ${sort_order || "''"}`, 'query.sort_order', { sort_order }),
    ),
    refused('sort_order given twice', 'query.sort_order', { sort_order: ['asc', 'asc'] }),
    refused('page_size given twice', 'query.page_size', { page_size: [1, 1] }),
    refused('cursor given twice', 'query.cursor', { cursor: ['0', '0'] }),
    prove('page_size is 1..1000; anything else is a 422', async (context) => {
      const path = historyPath({ kind, sandboxId: randomUUID() });
      for (const value of PAGE_SIZES_REFUSED) {
        expectProblem(await context.get(`${path}?page_size=${value}`), 'query.page_size');
      }
    }),
    prove('page_size 1 and 1000 are taken and echoed', async (context) => {
      const history = await sharedHistory(context, kind);
      const one = await readHistory(context, history, { page_size: 1 });
      assert.equal(one.transactions.length, 1);
      assert.equal(one.page_meta.page_size, 1);
      const thousand = await readHistory(context, history, { page_size: 1000 });
      assert.equal(thousand.transactions.length, 7);
      assert.equal(thousand.page_meta.page_size, 1000);
    }),
    prove('page_size defaults to 50', async (context) => {
      const history = await newBulkHistory(context, kind, 51);
      const page = await readHistory(context, history);
      assert.equal(page.transactions.length, 50);
      assert.equal(page.page_meta.page_size, 50);
      assert.equal(page.page_meta.total, 51);
      assert.ok(page.page_meta.cursor);
    }),
    prove("cursor '0' starts, as an absent one does", async (context) => {
      const history = await sharedHistory(context, kind);
      const zero = await readHistory(context, history, { cursor: '0' });
      assert.deepEqual(zero, await readHistory(context, history));
    }),
    prove('the cursor is omitted on the last page', async (context) => {
      const history = await sharedHistory(context, kind);
      for (const page_size of [7, 8, 1000]) {
        const page = await readHistory(context, history, { page_size });
        assert.equal('cursor' in page.page_meta, false, `page_size ${page_size}`);
      }
      assert.ok((await readHistory(context, history, { page_size: 6 })).page_meta.cursor);
    }),
    ...[1, 2, 3, 6, 7].flatMap((page_size) =>
      (['asc', 'desc'] as const).map((sort_order) =>
        prove(
          `a walk ${sort_order} by ${page_size} lists each version once, in order`,
          async (context) => {
            const history = await sharedHistory(context, kind);
            const pages = await walkHistory(context, history, { page_size, sort_order });
            const expected = sort_order === 'asc' ? OLDEST_FIRST : NEWEST_FIRST;
            assert.deepEqual(pages.flatMap(namesOf), expected);
            assert.equal(pages.length, Math.ceil(7 / page_size));
            for (const { page_meta } of pages) {
              assert.equal(page_meta.total, 7);
              assert.equal(page_meta.page_size, page_size);
            }
          },
        ),
      ),
    ),
    prove('page_size may change in the middle of a walk', async (context) => {
      const history = await sharedHistory(context, kind);
      const first = await readHistory(context, history, { page_size: 2 });
      const cursor = first.page_meta.cursor ?? '';
      const second = await readHistory(context, history, { page_size: 3, cursor });
      assert.equal(second.page_meta.page_size, 3);
      const rest = await readHistory(context, history, { cursor: second.page_meta.cursor ?? '' });
      const names = [first, second, rest].flatMap(namesOf);
      assert.deepEqual(names, NEWEST_FIRST);
    }),
    prove('a cursor may be used again and answers the same', async (context) => {
      const history = await sharedHistory(context, kind);
      const { cursor = '' } = (await readHistory(context, history, { page_size: 2 })).page_meta;
      const once = await readHistory(context, history, { page_size: 2, cursor });
      assert.deepEqual(await readHistory(context, history, { page_size: 2, cursor }), once);
    }),
    prove('a filtered walk lists each match once, with its total', async (context) => {
      const history = await sharedHistory(context, kind);
      const { transactions } = await readHistory(context, history);
      const ids = transactions.slice(1, 6).map((element) => String(element.version[kind.id]));
      const query = { [`${kind.id}s`]: ids, name: 'RECORD', page_size: 2 };
      const pages = await walkHistory(context, history, query);
      assert.deepEqual(pages.flatMap(namesOf), NEWEST_FIRST.slice(1, 6));
      assert.deepEqual(
        pages.map((page) => page.page_meta.total),
        [5, 5, 5],
      );
    }),
    prove('a bulk edit that spans pages is listed whole', async (context) => {
      const history = await newBulkHistory(context, kind, 5);
      const pages = await walkHistory(context, history, { page_size: 2 });
      assert.equal(new Set(versionIdsOf(pages)).size, 5);
      assert.equal(transactionsOf(pages).length, 5);
    }),
    prove('a sandbox id that is no UUID is a 422 in the path', async (context) => {
      const id = randomUUID();
      for (const sandboxId of ['x', id.slice(1), `${id}0`, id.replace('-', ''), '0']) {
        expectProblem(await tryHistory(context, { kind, sandboxId }), 'path.sandbox_id');
      }
    }),
    prove('every problem of the request is listed', async (context) => {
      const answer = await tryHistory(
        context,
        { kind, sandboxId: 'x' },
        { page_size: 0, sort_order: 'up', cursor: '', [`${kind.legacyId}s`]: 'x' },
      );
      expectProblemsAt(answer, [
        'path.sandbox_id',
        'query.page_size',
        'query.sort_order',
        'query.cursor',
        `query.${kind.legacyId}s.0`,
      ]);
    }),
    prove('a malformed percent-escape in the path is a 422', async (context) => {
      for (const id of ['%', '%ZZ', '%E0%A4%A']) {
        expectProblems(await context.get(`/v1/history/sandbox/${id}/${kind.path}/`));
      }
    }),
  ];
};

export const historyPagingCases = ofBothKinds('History: paging', everyKind);
