import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { refOf } from '../catalogue/testing/change-set-calls.ts';
import type { TestCatalogue } from '../catalogue/testing/open-test-catalogue.ts';
import {
  ACTOR,
  anItem,
  openTestCatalogue,
  readChain,
} from '../catalogue/testing/open-test-catalogue.ts';
import { createChangeSetsRouter } from './change-sets-router.ts';
import { createEditsRouter } from './edits-router.ts';
import { createItemSchemasRouter } from './item-schemas-router.ts';
import { createItemsRouter } from './records-router.ts';
import type { AdminCall } from './testing/admin-client.ts';
import { createCallers } from './testing/admin-client.ts';
import { router } from './trpc.ts';

let opened: TestCatalogue;
let callWith: (...permissions: string[]) => AdminCall;
beforeAll(async () => {
  opened = await openTestCatalogue();
  const { catalogue } = opened;
  callWith = createCallers(
    router({
      items: createItemsRouter(catalogue),
      itemSchemas: createItemSchemasRouter(catalogue),
      changeSets: createChangeSetsRouter(catalogue),
      edits: createEditsRouter(catalogue),
    }),
  );
});
afterAll(() => opened.close());

const UNKNOWN = '00000000-0000-4000-8000-00000000dead';
const WEAPON = [
  { key: 'price', type: 'number', required: true, label: 'Price' },
  { key: 'rarity', type: 'choice', choices: ['common', 'rare'] },
];

const call = (procedure: string, input: object) => callWith('*')(procedure, input);
const ask = (procedure: string, input: object) => callWith('*')(procedure, input, 'query');

const setSchema = async (sandbox_id: string, fields: object[] = WEAPON, expected_version = 0) => {
  const place = { sandbox_id, item_type: 'unit', expected_version };
  const { data, error } = await call('itemSchemas.set', { ...place, fields });
  if (error) throw new Error(error.desc);
  return data;
};

/** Before a schema is set, anything fits. */
const addItem = async (sandbox_id: string, name: string, custom_data: object) => {
  const { data, error } = await call('items.create', { sandbox_id, ...anItem(name), custom_data });
  if (error) throw new Error(error.desc);
  return data;
};

const listProblems = async (sandbox_id: string) => {
  const { data } = await ask('itemSchemas.problems', { sandbox_id });
  return data.items.map(({ name, problems }: { name: string; problems: { key: string }[] }) => [
    name,
    ...problems.map(({ key }) => key),
  ]);
};

describe('versions of a schema', () => {
  test('begin at 1, are listed with their author and reason, and are audited', async () => {
    const sandbox_id = await opened.addSandbox();
    const place = { sandbox_id, item_type: 'unit' };
    expect((await ask('itemSchemas.get', place)).data).toEqual({
      item_type: 'unit',
      version: 0,
      fields: [],
    });
    const first = await call('itemSchemas.set', {
      ...place,
      fields: WEAPON,
      expected_version: 0,
      reason: 'Season 2',
    });
    expect(first.data).toMatchObject({
      version: 1,
      account_id: 'admin-1',
      reason: 'Season 2',
      fields: [
        { key: 'price', type: 'number', required: true, label: 'Price' },
        { key: 'rarity', type: 'choice', required: false, choices: ['common', 'rare'] },
      ],
    });
    expect(await setSchema(sandbox_id, [], 1)).toMatchObject({ version: 2, fields: [] });
    const page = (await ask('itemSchemas.history', { ...place, page_size: 1 })).data;
    expect(page.versions).toMatchObject([{ version: 2 }]);
    const { cursor } = page.page_meta;
    const next = (await ask('itemSchemas.history', { ...place, page_size: 1, cursor })).data;
    expect(next).toMatchObject({ versions: [first.data], page_meta: { page_size: 1 } });
    expect(next.page_meta).not.toHaveProperty('cursor');
    expect((await ask('itemSchemas.list', { sandbox_id })).data.schemas).toMatchObject([
      { version: 2 },
    ]);
    const audits = await opened.database.prisma.auditRecord.findMany({
      where: { sandboxId: sandbox_id, action: 'itemSchemas.set' },
      orderBy: { auditId: 'asc' },
    });
    expect(audits.map(({ after }) => after)).toEqual([
      { version: 1, keys: ['price', 'rarity'] },
      { version: 2, keys: [] },
    ]);
  });

  test('the same fields make no version', async () => {
    const sandbox_id = await opened.addSandbox();
    await setSchema(sandbox_id);
    expect(await setSchema(sandbox_id, WEAPON, 1)).toMatchObject({ version: 1 });
  });

  test('of two changes of one version, one is refused', async () => {
    const sandbox_id = await opened.addSandbox();
    const change = (key: string) =>
      call('itemSchemas.set', {
        sandbox_id,
        item_type: 'unit',
        expected_version: 0,
        fields: [{ key, type: 'text' }],
      });
    const answers = await Promise.all([change('a'), change('b')]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect(answers.find(({ error }) => error)?.error).toMatchObject({
      error_code: 'item_schema_conflict',
      current_version: 1,
    });
  });

  test('bad input, missing permissions and unknown sandboxes are refused', async () => {
    const sandbox_id = await opened.addSandbox();
    const place = { sandbox_id, item_type: 'unit', expected_version: 0 };
    const bad = [{ key: 'price', type: 'number', default: 'cheap' }];
    expect((await call('itemSchemas.set', { ...place, fields: bad })).error.detail).toEqual([
      {
        loc: ['body', 'fields', 0, 'default'],
        msg: 'Must be a number in decimal digits',
        type: 'value_error.schema',
      },
    ]);
    const viewer = callWith(`sandbox:${sandbox_id}:config:view`);
    expect((await viewer('itemSchemas.set', { ...place, fields: WEAPON })).status).toBe(403);
    expect((await viewer('itemSchemas.list', { sandbox_id }, 'query')).status).toBe(200);
    const elsewhere = { ...place, sandbox_id: UNKNOWN, fields: WEAPON };
    expect((await call('itemSchemas.set', elsewhere)).status).toBe(404);
    for (const name of ['get', 'history', 'problems']) {
      const input = { sandbox_id: UNKNOWN, item_type: 'unit' };
      expect((await ask(`itemSchemas.${name}`, input)).status).toBe(404);
    }
    const cursor = Buffer.from('"x"').toString('base64url');
    expect((await ask('itemSchemas.problems', { sandbox_id, cursor })).status).toBe(400);
  });
});

describe('edits of Items', () => {
  test('name every key that does not fit', async () => {
    const sandbox_id = await opened.addSandbox();
    await setSchema(sandbox_id);
    const item = { sandbox_id, ...anItem('Sword'), custom_data: { rarity: 'epic' } };
    const { status, error } = await call('items.create', item);
    expect({ status, ...error }).toMatchObject({
      status: 422,
      error_code: 'custom_data_invalid',
      desc: 'price: Is required. Other keys that do not fit: 1.',
      detail: [
        {
          loc: ['body', 'custom_data', 'price'],
          msg: 'Is required',
          type: 'value_error.schema.required',
        },
        {
          loc: ['body', 'custom_data', 'rarity'],
          msg: 'Must be one of common, rare',
          type: 'value_error.schema.choice',
        },
      ],
    });
    const other = { ...item, item_type: 'recipe' };
    expect((await call('items.create', other)).status).toBe(200);
    const fitting = { ...item, custom_data: { price: '5', more: 'anything' } };
    expect((await call('items.create', fitting)).status).toBe(200);
  });

  test('a bulk names the operation, and writes nothing', async () => {
    const sandbox_id = await opened.addSandbox();
    await setSchema(sandbox_id);
    const good = { operation: 'create', ...anItem('Good'), custom_data: { price: '1' } };
    const bad = { operation: 'create', ...anItem('Bad'), custom_data: { price: 'x' } };
    const { status, error } = await call('items.bulk', { sandbox_id, operations: [good, bad] });
    expect({ status, ...error }).toMatchObject({
      status: 422,
      operation_index: 1,
      detail: [{ loc: ['body', 'operations', 1, 'custom_data', 'price'] }],
    });
    expect((await ask('items.list', { sandbox_id })).data.records).toEqual([]);
  });

  test('values from before the schema are listed and stay, and other fields can be edited', async () => {
    const sandbox_id = await opened.addSandbox();
    const { item_id } = await addItem(sandbox_id, 'Old', { price: 'cheap', rarity: 'rare' });
    await addItem(sandbox_id, 'Bare', {});
    await addItem(sandbox_id, 'Fine', { price: '3' });
    await setSchema(sandbox_id);
    expect((await listProblems(sandbox_id)).toSorted()).toEqual([
      ['Bare', 'price'],
      ['Old', 'price'],
    ]);
    const edit = { sandbox_id, item_id, expected_version: 1 };
    const renamed = await call('items.update', { ...edit, name: 'Older' });
    expect(renamed.data).toMatchObject({ version: 2, custom_data: { price: 'cheap' } });
    const change = (custom_data: object) =>
      call('items.update', { ...edit, expected_version: 2, custom_data });
    expect((await change({ price: 'cheaper' })).status).toBe(422);
    expect((await change({ rarity: 'rare' })).status).toBe(422);
    expect((await change({ price: '7', rarity: 'rare' })).status).toBe(200);
    expect(await listProblems(sandbox_id)).toEqual([['Bare', 'price']]);
    const typed = await addItem(sandbox_id, 'Typed', { price: '1' });
    const retyped = {
      sandbox_id,
      item_id: typed.item_id,
      expected_version: 1,
      item_type: 'recipe',
    };
    expect((await call('items.update', retyped)).status).toBe(200);
  });

  test('the list of problems has pages and values, and excludes deleted Items', async () => {
    const sandbox_id = await opened.addSandbox();
    const names = ['A', 'B', 'C'];
    for (const name of names) await addItem(sandbox_id, name, { price: name.repeat(300) });
    const gone = await addItem(sandbox_id, 'Gone', {});
    await call('items.delete', { sandbox_id, item_id: gone.item_id, expected_version: 1 });
    await setSchema(sandbox_id);
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const { data } = await ask('itemSchemas.problems', {
        sandbox_id,
        item_type: 'unit',
        page_size: 2,
        cursor,
      });
      for (const { name, problems } of data.items) {
        seen.push(name);
        expect(problems).toEqual([
          {
            key: 'price',
            rule: 'number',
            msg: 'Must be a number in decimal digits',
            value: `${name.repeat(256)}…`,
          },
        ]);
      }
      cursor = data.page_meta.cursor;
    } while (cursor);
    expect(seen).toEqual(names);
    const others = await ask('itemSchemas.problems', { sandbox_id, item_type: 'recipe' });
    expect(others.data.items).toEqual([]);
  });

  test('a change set with a value that does not fit is a conflict, and its preview has the reason', async () => {
    const sandbox_id = await opened.addSandbox();
    const { item_id } = await addItem(sandbox_id, 'Sword', { price: '5' });
    await setSchema(sandbox_id);
    const set = (await call('changeSets.create', { sandbox_id, title: 'Sale' })).data;
    const operation = {
      kind: 'item',
      operation: 'update',
      item_id,
      expected_version: 1,
      custom_data: { price: 'free' },
    };
    const added = await call('changeSets.addOperations', {
      ...refOf(set),
      operations: [operation],
    });
    const preview = (await ask('changeSets.preview', refOf(set))).data;
    expect(preview).toMatchObject({
      counts: { problems: 1 },
      operations: [
        {
          problem: {
            error_code: 'custom_data_invalid',
            desc: 'price: Must be a number in decimal digits.',
          },
        },
      ],
    });
    const apply = opened.catalogue.changeSets.apply(
      ACTOR,
      { ...refOf(set), expected_revision: added.data.revision },
      { administers: false, confirmedName: undefined },
    );
    await expect(apply).rejects.toMatchObject({
      code: 'change_set_conflict',
      evidence: { facts: { problem_code: 'custom_data_invalid' } },
    });
  });
});

describe('old and foreign values are written with a warning', () => {
  const WARNING = 'Does not fit the schema: price: Must be a number in decimal digits.';

  test('by a restore', async () => {
    const sandbox_id = await opened.addSandbox();
    const { item_id } = await addItem(sandbox_id, 'Sword', { price: 'cheap' });
    await call('items.delete', { sandbox_id, item_id, expected_version: 1 });
    await setSchema(sandbox_id);
    const restored = await call('items.restore', { sandbox_id, item_id, expected_version: 2 });
    expect(restored.data).toMatchObject({
      version: 3,
      warnings: [{ field: 'custom_data', msg: 'price: Must be a number in decimal digits' }],
    });
  });

  test('by the revert of an edit', async () => {
    const sandbox_id = await opened.addSandbox();
    const { item_id } = await addItem(sandbox_id, 'Sword', { price: 'cheap' });
    const edit = { sandbox_id, item_id, expected_version: 1, custom_data: { price: '5' } };
    const { data } = await call('items.update', edit);
    await setSchema(sandbox_id);
    const undo = (await call('edits.revert', { sandbox_id, transaction_id: data.transaction_id }))
      .data;
    const preview = (await ask('changeSets.preview', refOf(undo))).data;
    expect(preview).toMatchObject({
      counts: { changes: 1, problems: 0 },
      operations: [{ warnings: [WARNING] }],
    });
    await opened.catalogue.changeSets.apply(
      ACTOR,
      { ...refOf(undo), expected_revision: undo.revision },
      { administers: false, confirmedName: undefined },
    );
    expect(await listProblems(sandbox_id)).toEqual([['Sword', 'price']]);
    expect(await readChain(opened.database, sandbox_id)).toMatchObject({
      broken: [],
      headMatches: true,
    });
  });

  test('by a promotion', async () => {
    const [source, sandbox_id] = [await opened.addSandbox('Staging'), await opened.addSandbox()];
    const { item_id } = await addItem(source, 'Sword', { price: 'cheap' });
    await setSchema(sandbox_id);
    const input = { sandbox_id, source_sandbox_id: source, kind: 'item', record_ids: [item_id] };
    const { change_set_id, revision } = (await call('changeSets.promote', input)).data;
    const preview = await ask('changeSets.preview', { sandbox_id, change_set_id });
    expect(preview.data).toMatchObject({
      counts: { problems: 0, changes: 1 },
      operations: [{ warnings: [WARNING] }],
    });
    const set = { sandbox_id, change_set_id, expected_revision: revision };
    const authority = { administers: false, confirmedName: undefined };
    await opened.catalogue.changeSets.apply(ACTOR, set, authority);
    expect(await listProblems(sandbox_id)).toEqual([['Sword', 'price']]);
  });
});

describe('itemSchemas.promote', () => {
  test('copies the expected version, and stores its source', async () => {
    const [source, sandbox_id] = [await opened.addSandbox('Staging'), await opened.addSandbox()];
    const { fields } = await setSchema(source);
    const input = { sandbox_id, source_sandbox_id: source, item_type: 'unit', expected_version: 0 };
    const outdated = await call('itemSchemas.promote', { ...input, expected_source_version: 2 });
    expect(outdated).toMatchObject({ status: 409, error: { error_code: 'item_schema_conflict' } });
    const promote = { ...input, expected_source_version: 1 };
    const oneSided = callWith(`sandbox:${sandbox_id}:config:edit`);
    expect((await oneSided('itemSchemas.promote', promote)).status).toBe(403);
    const { data } = await call('itemSchemas.promote', promote);
    expect(data).toMatchObject({
      version: 1,
      fields,
      source_sandbox_id: source,
      source_version: 1,
    });
    expect((await call('itemSchemas.promote', promote)).status).toBe(409);
    const same = { ...promote, source_sandbox_id: sandbox_id };
    expect((await call('itemSchemas.promote', same)).status).toBe(400);
  });
});
