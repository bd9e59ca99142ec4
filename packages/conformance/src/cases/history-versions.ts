import assert from 'node:assert/strict';
import { expectAdminRefusal } from '../checks.ts';
import type { Kind, RecordFixture } from '../fixtures/catalogue.ts';
import {
  editRecord,
  KINDS,
  newOnlyRecord,
  newRecord,
  newSandbox,
  ofBothKinds,
  XP,
} from '../fixtures/catalogue.ts';
import type { Transaction } from '../fixtures/histories.ts';
import { readHistory } from '../fixtures/histories.ts';
import { randomLegacyId } from '../fixtures/joins.ts';
import type { Context, Prove } from '../target/context.ts';
import { inSection } from '../target/context.ts';

const SECTION = 'History: versions';
const prove = inSection(SECTION);

const oldestFirst = async (context: Context, record: RecordFixture) =>
  (await readHistory(context, record, { sort_order: 'asc' })).transactions;

const operationsOf = (transactions: readonly Transaction[]): string[] =>
  transactions.map((element) => element.operation);

const scene = (context: Context, kind: Kind, fields?: Record<string, unknown>) =>
  newOnlyRecord(context, kind, { name: 'first', ...fields });

const everyKind = (kind: Kind, prove: Prove) => [
  prove('creating is an insert', async (context) => {
    const record = await scene(context, kind);
    const [insert, ...rest] = await oldestFirst(context, record);
    assert.equal(insert?.operation, 'insert');
    assert.equal(insert.version[kind.id], record.id);
    assert.equal(insert.transaction_id, record.transactionId);
    assert.deepEqual(rest, []);
  }),
  prove('an edit is an update that shows the record after it', async (context) => {
    const record = await scene(context, kind, { description: 'old' });
    await editRecord(context, record, 'update', { name: 'second', custom_data: { a: 'b' } });
    const [insert, update] = await oldestFirst(context, record);
    assert.equal(update?.operation, 'update');
    assert.equal(update.version_name, 'second');
    assert.deepEqual(update.version, {
      ...insert?.version,
      name: 'second',
      custom_data: { a: 'b' },
    });
    assert.equal(insert?.version_name, 'first', 'the older version keeps its name');
  }),
  prove("a delete shows the record's last state", async (context) => {
    const record = await scene(context, kind, { description: 'old' });
    const edited = await editRecord(context, record, 'update', { name: 'second' });
    await editRecord(context, edited, 'delete');
    const [, update, deletion] = await oldestFirst(context, record);
    assert.equal(deletion?.operation, 'delete');
    assert.equal(deletion.version_name, 'second');
    assert.deepEqual(deletion.version, update?.version);
  }),
  prove('an undelete is a restore of the last state', async (context) => {
    const record = await scene(context, kind);
    const deleted = await editRecord(context, record, 'delete');
    await editRecord(context, deleted, 'restore');
    const transactions = await oldestFirst(context, record);
    assert.deepEqual(operationsOf(transactions), ['insert', 'delete', 'restore']);
    assert.deepEqual(transactions[2]?.version, transactions[0]?.version);
  }),
  prove('a return to an older version is a restore of it', async (context) => {
    const record = await scene(context, kind, { custom_data: { a: 'b' } });
    const edit = { name: 'second', custom_data: {} };
    const edited = await editRecord(context, record, 'update', edit);
    const [insert] = await oldestFirst(context, record);
    await editRecord(context, edited, 'restore', { version_id: insert?.version_id });
    const transactions = await oldestFirst(context, record);
    assert.deepEqual(operationsOf(transactions), ['insert', 'update', 'restore']);
    assert.deepEqual(transactions[2]?.version, insert?.version);
    assert.notEqual(transactions[2]?.version_id, insert?.version_id);
  }),
  prove('a deleted record may return to an older version', async (context) => {
    const record = await scene(context, kind);
    const edited = await editRecord(context, record, 'update', { name: 'second' });
    const deleted = await editRecord(context, edited, 'delete');
    const [insert] = await oldestFirst(context, record);
    await editRecord(context, deleted, 'restore', { version_id: insert?.version_id });
    const last = (await oldestFirst(context, record)).at(-1);
    assert.equal(last?.operation, 'restore');
    assert.equal(last.version_name, 'first');
  }),
  prove('an edit that changes nothing writes nothing', async (context) => {
    const record = await scene(context, kind, { custom_data: { a: 'b', c: 'd' } });
    const same = await editRecord(context, record, 'update', {
      name: 'first',
      custom_data: { c: 'd', a: 'b' },
    });
    assert.equal(same.version, record.version);
    await editRecord(context, same, 'update', {});
    assert.deepEqual(operationsOf(await oldestFirst(context, record)), ['insert']);
  }),
  prove('an edit on another version than expected writes nothing', async (context) => {
    const record = await scene(context, kind);
    const edited = await editRecord(context, record, 'update', { name: 'second' });
    const error = await expectAdminRefusal(context, `${kind.router}.update`, {
      sandbox_id: record.sandboxId,
      [kind.id]: record.id,
      expected_version: record.version,
      name: 'lost',
    });
    assert.equal(error.httpStatus, 409);
    assert.equal(error.current_version, edited.version);
    assert.equal((await oldestFirst(context, record)).length, 2);
  }),
  prove('of 20 concurrent edits of one version, one is written', async (context) => {
    const record = await scene(context, kind);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        context.tryMutation(`${kind.router}.update`, {
          sandbox_id: record.sandboxId,
          [kind.id]: record.id,
          expected_version: record.version,
          name: `racer ${index}`,
        }),
      ),
    );
    assert.equal(answers.filter((answer) => answer.status === 200).length, 1);
    assert.equal(answers.filter((answer) => answer.status === 409).length, 19);
    assert.equal((await oldestFirst(context, record)).length, 2);
  }),
  prove('the elements of a bulk edit share one transaction_id', async (context) => {
    const record = await scene(context, kind);
    const operations = [
      { operation: 'create', name: 'new one', ...kind.required },
      { operation: 'create', name: 'new two', ...kind.required },
      {
        operation: 'update',
        [kind.id]: record.id,
        expected_version: record.version,
        name: 'renamed',
      },
    ];
    await context.mutate(`${kind.router}.bulk`, { sandbox_id: record.sandboxId, operations });
    const [insert, ...bulk] = await oldestFirst(context, record);
    assert.equal(bulk.length, 3);
    assert.equal(new Set(bulk.map((element) => element.transaction_id)).size, 1);
    assert.notEqual(bulk[0]?.transaction_id, insert?.transaction_id);
    assert.equal(new Set(bulk.map((element) => element.version_id)).size, 3);
    assert.deepEqual(operationsOf(bulk).sort(), ['insert', 'insert', 'update']);
  }),
  prove('a bulk edit with one bad operation writes nothing', async (context) => {
    const record = await scene(context, kind);
    const update = { operation: 'update', [kind.id]: record.id, name: 'lost' };
    await expectAdminRefusal(context, `${kind.router}.bulk`, {
      sandbox_id: record.sandboxId,
      operations: [
        { operation: 'create', name: 'lost too', ...kind.required },
        { ...update, expected_version: record.version + 7 },
      ],
    });
    assert.equal((await oldestFirst(context, record)).length, 1);
  }),
  prove('a legacy id is unique per sandbox for ever, after a delete too', async (context) => {
    const legacy = randomLegacyId();
    const record = await scene(context, kind, { [kind.legacyId]: legacy });
    const again = {
      sandbox_id: record.sandboxId,
      name: 'another',
      ...kind.required,
      [kind.legacyId]: legacy,
    };
    await expectAdminRefusal(context, `${kind.router}.create`, again);
    await editRecord(context, record, 'delete');
    await expectAdminRefusal(context, `${kind.router}.create`, again);
    await newOnlyRecord(context, kind, { [kind.legacyId]: legacy });
  }),
  prove('a legacy id is free for the other kind', async (context) => {
    const legacy = randomLegacyId();
    const record = await scene(context, kind, { [kind.legacyId]: legacy });
    const other = KINDS.find((candidate) => candidate !== kind);
    assert.ok(other);
    await newRecord(context, other, record.sandboxId, { [other.legacyId]: legacy });
  }),
  prove('custom_data values have 1 to 4096 characters', async (context) => {
    const custom_data = { a: 'x', b: 'y', c: '𝄞'.repeat(4096) };
    const record = await scene(context, kind, { custom_data });
    assert.deepEqual((await oldestFirst(context, record))[0]?.version.custom_data, custom_data);
    const { sandboxId } = record;
    for (const value of ['', 'x'.repeat(4097), '𝄞'.repeat(4097), 'a\u0000', '\ud800']) {
      const input = { sandbox_id: sandboxId, name: 'x', ...kind.required };
      const bad = { ...input, custom_data: { key: value } };
      await expectAdminRefusal(context, `${kind.router}.create`, bad);
    }
    assert.equal((await oldestFirst(context, record)).length, 1);
  }),
];

export const historyVersionCases = [
  ...ofBothKinds(SECTION, everyKind),
  prove('Xp: a threshold edit is an update of its Xp', async (context) => {
    const record = await scene(context, XP);
    const xp_thresholds = [
      { level: 1, xp: 0 },
      { level: 2, xp: 250 },
    ];
    await editRecord(context, record, 'update', { xp_thresholds });
    const [, update] = await oldestFirst(context, record);
    assert.equal(update?.operation, 'update');
    assert.deepEqual(update.version.xp_thresholds, xp_thresholds);
  }),
  prove('Xp: thresholds increase strictly in level and in xp', async (context) => {
    const sandbox_id = await newSandbox(context);
    const increasing = { level: 1, xp: 10 };
    for (const second of [
      { level: 1, xp: 20 },
      { level: 2, xp: 10 },
      { level: 0, xp: 20 },
      { level: 2, xp: 9 },
      { level: 2 },
      { xp: 20 },
      { level: 1.5, xp: 20 },
    ]) {
      const input = { sandbox_id, name: 'x', xp_thresholds: [increasing, second] };
      await expectAdminRefusal(context, 'xp.create', input);
    }
    await newRecord(context, XP, sandbox_id, { xp_thresholds: [increasing, { level: 2, xp: 11 }] });
  }),
];
