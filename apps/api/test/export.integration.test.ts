import { describe, expect, test } from 'vitest';
import { createTransferClient, ITEMS, useTransferCatalogue } from './transfer-client.ts';

const opened = useTransferCatalogue();

describe('an export', () => {
  test('has a file name, a type and a position', async () => {
    const { headers } = await opened.client.exportFile(opened.sandbox, 'item', { format: 'csv' });
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present');
    expect(headers.get('content-disposition')).toMatch(
      /^attachment; filename="live-items-\d{4}-\d\d-\d\d\.csv"$/,
    );
    expect(headers.get('muster-as-of')).toBe('4');
  });

  test.each(['records', 'versions'])(
    'as CSV begins with a byte order mark, once: %s',
    async (view) => {
      const first = await opened.client.exportFile(opened.sandbox, 'item', { format: 'csv', view });
      const bytes = Buffer.from(await first.arrayBuffer());
      expect(bytes.subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]));
      expect(bytes.lastIndexOf('\uFEFF')).toBe(0);
    },
  );

  test('as CSV is imported again without a change, byte for byte', async () => {
    const query = { format: 'csv' };
    const answer = await opened.client.exportFile(opened.sandbox, 'item', query);
    const bytes = Buffer.from(await answer.arrayBuffer());
    for (const file of [bytes, Buffer.from(bytes.toString(), 'utf16le')]) {
      const { counts, errors } = await opened.client.plan(opened.sandbox, 'item', query, file);
      expect({ counts, errors }).toMatchObject({ counts: { unchanged: 3, update: 0 }, errors: [] });
    }
  });

  test('has no cell that a spreadsheet would run', async () => {
    const csv = await opened.exportText('item', { format: 'csv' });
    expect(csv.split('\r\n')[0]).toBe(
      'item_id,legacy_item_id,name,description,item_type,tags,level_xp_table_id,custom_data',
    );
    expect(csv).toContain(",'=Sword,");
    // Some spreadsheets also split cells at line breaks.
    expect(csv).toContain(`,"'@home\n'-1",`);
  });

  test('contains the records that match the filter, and no deleted one', async () => {
    const [sword] = (await opened.exportText('item', { name: 'SWORD' }))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(sword).toMatchObject({ name: '=Sword' });
    await opened.client.mutate('items.delete', {
      sandbox_id: opened.sandbox,
      item_id: sword.item_id,
      expected_version: 1,
    });
    expect(await opened.exportText('item', { name: 'sword' })).toBe('');
    // At the previous position it existed.
    expect(JSON.parse(await opened.exportText('item', { name: 'sword', as_of: 4 }))).toEqual(sword);
  });

  test.each([
    ['a filter by value', { where: [{ field: 'tags', op: 'has', value: '-C' }] }, ['=Sword']],
    [
      'a filter by value and a name',
      { where: [{ field: 'description', op: 'is_empty' }], name: 's' },
      ['=Sword', 'Shield'],
    ],
    ['a type', { item_type: 'recipe' }, ['Shield']],
    ['a tag', { tag: '-c' }, ['=Sword']],
    ['a tag in another case', { tag: '-C' }, []],
    ['a key of custom data', { custom_key: 'emoji' }, ['=Sword']],
  ])('contains the records that the same list shows with %s', async (_, filter, names) => {
    const { where, ...others } = filter as { where?: object[] };
    const query = { ...others, ...(where && { where: JSON.stringify({ and: where }) }) };
    const lines = (await opened.exportText('item', query)).trim().split('\n').filter(Boolean);
    expect(lines.map((line) => JSON.parse(line).name).toSorted()).toEqual(names);
    const csv = await opened.exportText('item', { ...query, format: 'csv' });
    for (const { name } of ITEMS) expect(csv.includes(name.slice(1, 5))).toBe(names.includes(name));
  });

  test('applies a filter by value to the records as of the position', async () => {
    const where = JSON.stringify({
      and: [
        { field: 'tags', op: 'has', value: 'a,b' },
        { field: 'version', op: 'eq', value: '1' },
      ],
    });
    const before = await opened.exportText('item', { where });
    const { item_id } = JSON.parse(before);
    const edit = { sandbox_id: opened.sandbox, item_id, expected_version: 1, tags: [] };
    await opened.client.mutate('items.update', edit);
    expect(await opened.exportText('item', { where })).toBe('');
    expect(await opened.exportText('item', { where, as_of: 4 })).toBe(before);
  });

  test.each([
    ['no JSON', '{', ['query', 'where']],
    ['no condition', '{}', ['query', 'where']],
    [
      'an unknown field',
      '{"and":[{"field":"price","op":"is_empty"}]}',
      ['query', 'where', 'and', 0, 'field'],
    ],
  ])('refuses a filter by value with %s', async (_, where, loc) => {
    const answer = await opened.client.exportFile(opened.sandbox, 'item', { where });
    expect(answer.status).toBe(422);
    expect(await answer.json()).toMatchObject({ detail: [{ loc }] });
  });

  test('contains every record as of the position', async () => {
    const before = await opened.exportText('item', { as_of: 3 });
    for (const line of before.trim().split('\n')) {
      const { item_id } = JSON.parse(line);
      const edit = { sandbox_id: opened.sandbox, item_id, expected_version: 1, name: 'Renamed' };
      await opened.client.mutate('items.update', edit);
    }
    await opened.client.mutate('items.create', {
      sandbox_id: opened.sandbox,
      name: 'New',
      item_type: 'unit',
    });
    expect(await opened.exportText('item', { as_of: 3 })).toBe(before);
    expect(await opened.exportText('item', { as_of: 1 })).toMatch(/^\{[^\n]*=Sword[^\n]*\}\n$/);
    expect(await opened.exportText('item', { as_of: 0 })).toBe('');
  });

  test.each(['ndjson', 'csv'] as const)(
    'continues after the last received record: %s',
    async (format) => {
      const whole = await opened.exportText('item', { format });
      const ids = (await opened.exportText('item'))
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).item_id);
      const rest = await opened.exportText('item', { format, as_of: 4, after: ids[0] });
      expect(whole.endsWith(rest)).toBe(true);
      expect(whole.slice(0, -rest.length)).toContain(ids[0]);
      expect(rest).not.toContain(ids[0]);
    },
  );

  test('of versions contains the matching ones in the order of their positions', async () => {
    const rows = async (query: object) =>
      (await opened.exportText('item', { view: 'versions', ...query }))
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line));
    const all = await rows({});
    expect(all.map(({ seq }) => seq)).toEqual([1, 2, 3]);
    expect(all[1]).toMatchObject({
      seq: 2,
      operation: 'insert',
      version: 1,
      account_id: 'tester',
      changed_fields: expect.arrayContaining(['name']),
      record: { name: 'Shield', item_type: 'recipe' },
    });
    const { transaction_id, record } = all[2];
    expect(await rows({ transaction_id })).toEqual([all[2]]);
    expect(await rows({ record_id: record.item_id })).toEqual([all[2]]);
    expect(await rows({ name: 'shi' })).toEqual([all[1]]);
    expect(await rows({ changed_field: 'legacy_item_id' })).toEqual([all[0]]);
    expect(await rows({ after: 1, as_of: 2 })).toEqual([all[1]]);
    expect(await rows({ operation: 'delete' })).toEqual([]);
    expect(await rows({ account_id: 'nobody' })).toEqual([]);
    expect(await rows({ from: all[1].issued_at, to: all[2].issued_at })).toEqual([all[1]]);
    const csv = await opened.exportText('item', { view: 'versions', format: 'csv' });
    expect(csv).toMatch(
      /^seq,version_id,transaction_id,operation,version,account_id,reason,issued_at,changed_fields,item_id,/,
    );
    expect(csv.split('\r\n')).toHaveLength(5);
  });

  test.each([
    [{ format: 'xml' }, 'format'],
    [{ view: 'changes' }, 'view'],
    [{ as_of: -1 }, 'as_of'],
    [{ after: 'x' }, 'after'],
    [{ view: 'versions', operation: 'steal' }, 'operation'],
  ])('refuses %j', async (query, name) => {
    const response = await opened.client.exportFile(opened.sandbox, 'item', query);
    expect(response.status).toBe(422);
    const { detail } = JSON.parse(await response.text());
    expect(detail[0].loc).toEqual(['query', name]);
  });

  test('refuses a position beyond the head, an unknown kind and an unknown sandbox', async () => {
    expect((await opened.client.exportFile(opened.sandbox, 'item', { as_of: 5 })).status).toBe(400);
    expect((await opened.client.exportFile(opened.sandbox, 'hat')).status).toBe(422);
    expect((await opened.client.exportFile(opened.sandbox, 'item/1')).status).toBe(404);
    const nowhere = '00000000-0000-0000-0000-000000000009';
    expect((await opened.client.exportFile(nowhere, 'item')).status).toBe(404);
  });
});

describe('permissions', () => {
  const clientWith = (...permissions: string[]) =>
    createTransferClient(opened.service, { permissions });

  test('allows exports to viewers of the sandbox and imports to editors', async () => {
    const viewer = clientWith(`sandbox:${opened.sandbox}:config:view`);
    const editor = clientWith(`sandbox:${opened.sandbox}:config:edit`);
    const stranger = clientWith('session:*', 'sandbox:00000000-0000-0000-0000-000000000009:*');
    expect((await viewer.exportFile(opened.sandbox, 'item')).status).toBe(200);
    expect((await viewer.importFile(opened.sandbox, 'item', {}, '')).status).toBe(403);
    expect((await editor.exportFile(opened.sandbox, 'item')).status).toBe(200);
    expect((await editor.importFile(opened.sandbox, 'item', {}, '')).status).toBe(200);
    expect((await stranger.exportFile(opened.sandbox, 'item')).status).toBe(403);
    expect((await stranger.importFile(opened.sandbox, 'item', {}, '')).status).toBe(403);
  });

  test('refuses requests without a credential', async () => {
    for (const [action, method] of [
      ['export', 'GET'],
      ['import', 'POST'],
    ]) {
      const response = await fetch(
        `${opened.service.baseUrl}/admin/${action}/${opened.sandbox}/item`,
        {
          method: method ?? '',
        },
      );
      expect(response.status).toBe(403);
      expect(await response.json()).toMatchObject({
        auth_success: false,
        error_code: 'auth_missing',
      });
    }
  });

  test('refuses other methods', async () => {
    const headers = await opened.service.headers();
    for (const action of ['export', 'import']) {
      const response = await fetch(
        `${opened.service.baseUrl}/admin/${action}/${opened.sandbox}/item`,
        {
          method: 'DELETE',
          headers,
        },
      );
      expect(response.status).toBe(405);
    }
  });
});
