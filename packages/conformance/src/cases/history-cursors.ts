import assert from 'node:assert/strict';
import { expectProblem } from '../checks.ts';
import type { Kind } from '../fixtures/catalogue.ts';
import {
  editRecord,
  ITEM,
  newRecord,
  newRecords,
  newSandbox,
  ofBothKinds,
  XP,
} from '../fixtures/catalogue.ts';
import type { HistoryOf, Query } from '../fixtures/histories.ts';
import {
  readHistory,
  transactionsOf,
  tryHistory,
  versionIdsOf,
  walkHistory,
} from '../fixtures/histories.ts';
import type { Context, Prove } from '../target/context.ts';

const newHistory = async (context: Context, kind: Kind, count: number): Promise<HistoryOf> => {
  const sandboxId = await newSandbox(context);
  await newRecords(context, kind, sandboxId, count);
  return { kind, sandboxId };
};

const firstCursor = async (context: Context, history: HistoryOf, query: Query = {}) => {
  const page = await readHistory(context, history, { page_size: 1, ...query });
  assert.ok(page.page_meta.cursor, 'there is a next page');
  return page.page_meta.cursor;
};

const GARBAGE = ['1', '00', '-1', 'x', 'null', '%', 'AAAA', '{}', ' 0', 'é', 'x'.repeat(257)];

const everyKind = (kind: Kind, prove: Prove) => [
  prove('an empty cursor is a 422', async (context) => {
    const history = await newHistory(context, kind, 1);
    expectProblem(await tryHistory(context, history, { cursor: '' }), 'query.cursor');
  }),
  prove('a cursor that the service never gave is a 422', async (context) => {
    const history = await newHistory(context, kind, 1);
    for (const cursor of GARBAGE) {
      expectProblem(await tryHistory(context, history, { cursor }), 'query.cursor');
    }
  }),
  prove('a cursor that was cut or changed never makes a server error', async (context) => {
    const history = await newHistory(context, kind, 3);
    const cursor = await firstCursor(context, history);
    for (let end = 1; end < cursor.length; end += 1) {
      const answer = await tryHistory(context, history, { cursor: cursor.slice(0, end) });
      assert.ok(answer.status < 500, `status ${answer.status}`);
    }
    const swapped = cursor.replace(/^./, (first) => (first === 'A' ? 'B' : 'A'));
    assert.ok((await tryHistory(context, history, { cursor: swapped })).status < 500);
  }),
  prove('a cursor of another sandbox is a 422', async (context) => {
    const cursor = await firstCursor(context, await newHistory(context, kind, 2));
    const other = await newHistory(context, kind, 2);
    expectProblem(await tryHistory(context, other, { cursor }), 'query.cursor');
  }),
  prove('a cursor of the other kind is a 422', async (context) => {
    const history = await newHistory(context, kind, 2);
    const cursor = await firstCursor(context, history);
    const other = { ...history, kind: kind === ITEM ? XP : ITEM };
    expectProblem(await tryHistory(context, other, { cursor }), 'query.cursor');
  }),
  ...(['asc', 'desc'] as const).map((sort_order) =>
    prove(`a cursor of the order ${sort_order} in the other order is a 422`, async (context) => {
      const history = await newHistory(context, kind, 2);
      const cursor = await firstCursor(context, history, { sort_order });
      const other = sort_order === 'asc' ? 'desc' : 'asc';
      const answer = await tryHistory(context, history, { cursor, sort_order: other });
      expectProblem(answer, 'query.cursor');
    }),
  ),
  prove('a cursor with other filters is a 422', async (context) => {
    const history = await newHistory(context, kind, 3);
    const { transactions } = await readHistory(context, history);
    const ids = transactions.map((element) => String(element.version[kind.id]));
    const plain = await firstCursor(context, history);
    const named = await firstCursor(context, history, { name: 'record' });
    const byId = await firstCursor(context, history, { [`${kind.id}s`]: ids });
    const others: Query[] = [
      { cursor: plain, name: 'record' },
      { cursor: plain, [`${kind.id}s`]: ids },
      { cursor: plain, [`${kind.legacyId}s`]: 1 },
      { cursor: named },
      { cursor: named, name: 'recor' },
      { cursor: byId },
      { cursor: byId, [`${kind.id}s`]: ids.slice(1) },
    ];
    for (const query of others) {
      expectProblem(await tryHistory(context, history, query), 'query.cursor');
    }
  }),
  prove('a cursor has at most 256 characters, however long the filters', async (context) => {
    const history = await newHistory(context, kind, 2);
    const { transactions } = await readHistory(context, history);
    const ids = transactions.map((element) => String(element.version[kind.id]));
    const many = [
      ...ids,
      ...Array.from({ length: 98 }, (_, index) => `${index}-${'x'.repeat(30)}`),
    ];
    const cursor = await firstCursor(context, history, { [`${kind.id}s`]: many, name: 'record' });
    assert.ok(cursor.length <= 256, `${cursor.length} characters`);
  }),
  ...(['asc', 'desc'] as const).flatMap((sort_order) => [
    prove(
      `a walk ${sort_order} lists what existed at its start, each once, while others write`,
      async (context) => {
        const history = await newHistory(context, kind, 30);
        const before = await walkHistory(context, history, { sort_order, page_size: 1000 });
        let made = 0;
        const writing = { done: false };
        const write = async () => {
          while (!writing.done && made < 100) {
            made += 1;
            await newRecord(context, kind, history.sandboxId, { name: `late ${made}` });
          }
        };
        const query = { sort_order, page_size: 4 };
        const first = await readHistory(context, history, query);
        const writers = [write(), write()];
        const { cursor = '' } = first.page_meta;
        const rest = await walkHistory(context, history, { ...query, cursor });
        writing.done = true;
        await Promise.all(writers);
        assert.ok(made > 0);
        assert.deepEqual(versionIdsOf([first, ...rest]), versionIdsOf(before));
        for (const page of [first, ...rest]) assert.equal(page.page_meta.total, 30);
      },
    ),
    prove(
      `a walk ${sort_order} that starts among writes has no gap and no repetition`,
      async (context) => {
        const history = await newHistory(context, kind, 5);
        const writes = Array.from({ length: 40 }, (_, index) =>
          newRecord(context, kind, history.sandboxId, { name: `w ${index}` }),
        );
        const pages = await walkHistory(context, history, { sort_order, page_size: 3 });
        await Promise.all(writes);
        const walked = versionIdsOf(pages);
        const all = versionIdsOf(await walkHistory(context, history, { sort_order: 'asc' }));
        const inOrder = sort_order === 'asc' ? walked : walked.toReversed();
        assert.deepEqual(inOrder, all.slice(0, walked.length), 'a prefix of the commit order');
        for (const page of pages) assert.equal(page.page_meta.total, walked.length);
      },
    ),
  ]),
  prove('a record that gets a matching name during a walk does not enter it', async (context) => {
    const history = await newHistory(context, kind, 6);
    const outsider = await newRecord(context, kind, history.sandboxId, { name: 'outsider' });
    const query = { name: 'record', page_size: 2, sort_order: 'asc' };
    const rename = { name: 'record too' };
    let renamed: Promise<unknown> | undefined;
    const pages = await walkHistory(context, history, query, async () => {
      renamed ??= editRecord(context, outsider, 'update', rename);
      await renamed;
    });
    assert.equal(transactionsOf(pages).length, 6);
    for (const page of pages) assert.equal(page.page_meta.total, 6);
    const after = await readHistory(context, history, { name: 'record' });
    assert.equal(after.page_meta.total, 8, 'a new walk lists both versions of it');
  }),
  prove('total is exact for each filter', async (context) => {
    const history = await newHistory(context, kind, 2);
    const record = await newRecord(context, kind, history.sandboxId, { name: 'record 2' });
    const { id } = record;
    const listed = await editRecord(context, record, 'update', { name: 'other' });
    await editRecord(context, listed, 'delete');
    const totalOf = async (query: Query) =>
      (await readHistory(context, history, { ...query, page_size: 1 })).page_meta.total;
    assert.equal(await totalOf({}), 5);
    assert.equal(await totalOf({ [`${kind.id}s`]: id }), 3);
    assert.equal(await totalOf({ name: 'other' }), 3);
    assert.equal(await totalOf({ name: 'record' }), 5);
    assert.equal(await totalOf({ name: 'record 1' }), 1);
  }),
];

export const historyCursorCases = ofBothKinds('History: cursors and stable walks', everyKind);
