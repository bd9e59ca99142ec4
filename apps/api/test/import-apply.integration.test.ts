import { describe, expect, test } from 'vitest';
import { createTransferClient, useTransferCatalogue, XP } from './transfer-client.ts';

const opened = useTransferCatalogue();

describe('a file that is applied a second time', () => {
  test('duplicates no record, even without ids in its rows, and deletes none as missing', async () => {
    const file = '{"name":"Twin","item_type":"unit"}\n{"name":"Twin","item_type":"unit"}\n';
    const first = await opened.client.apply(opened.sandbox, 'item', {}, file);
    expect(first.body).toMatchObject({ counts: { create: 2 }, warning_count: 1 });
    expect(first.body.warnings).toEqual([
      { row: 2, column: 'name', msg: 'Row 1 already has the name Twin' },
    ]);
    const again = await opened.client.apply(opened.sandbox, 'item', {}, file);
    expect(again.body.counts).toMatchObject({ create: 0, update: 0, unchanged: 2 });
    const whole = await opened.client.plan(opened.sandbox, 'item', { delete_missing: true }, file);
    expect(whole.counts).toMatchObject({ create: 0, unchanged: 2 });
  });

  test('in another format warns about names that records already have', async () => {
    const file = '{"name":"Gem","item_type":"unit"}\n';
    await opened.client.apply(opened.sandbox, 'item', {}, file);
    const plan = await opened.client.plan(opened.sandbox, 'item', {}, `${file}\n`);
    expect(plan).toMatchObject({
      counts: { create: 1 },
      warnings: [
        { row: 1, column: 'name', msg: 'A record of this sandbox already has the name Gem' },
      ],
    });
  });
});

describe('applying', () => {
  test('writes the plan in one transaction, as an applied change set with its audit records', async () => {
    const file = '{"name":"Bow","item_type":"unit"}\n{"name":"Arrow","item_type":"unit"}\n';
    const { status, body } = await opened.client.apply(
      opened.sandbox,
      'item',
      { reason: 'Season 2' },
      file,
    );
    expect(status).toBe(200);
    expect(body).toMatchObject({ head_seq: 6, counts: { create: 2 } });
    const versions = await opened.exportText('item', {
      view: 'versions',
      transaction_id: body.transaction_id ?? '',
    });
    const rows = versions
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(rows.map(({ seq, reason, record }) => [seq, reason, record.name])).toEqual([
      [5, 'Season 2', 'Bow'],
      [6, 'Season 2', 'Arrow'],
    ]);
    const { change_set_id, transaction_id } = body;
    const recordOf = async (action: string) => {
      const input = { sandbox_id: opened.sandbox, action };
      const { records } = await opened.client.query('audit.list', input);
      return records;
    };
    const request = {
      reason: 'Season 2',
      target: { change_set_id },
      request_id: expect.any(String),
      address: expect.any(String),
    };
    expect(await recordOf('changeSets.import')).toEqual([
      expect.objectContaining({ ...request, after: { operation_count: 2, head_seq: 4 } }),
    ]);
    expect(await recordOf('changeSets.apply')).toEqual([
      expect.objectContaining({ ...request, after: { records: 2, transaction_id } }),
    ]);
    const set = await opened.client.query('changeSets.get', {
      sandbox_id: opened.sandbox,
      change_set_id,
    });
    expect(set).toMatchObject({
      title: 'Import of 2 records',
      state: 'applied',
      applied: { transaction_id },
    });
    expect(
      await opened.client.query('verification.check', { sandbox_id: opened.sandbox }),
    ).toMatchObject({
      checked_to_seq: 6,
      done: true,
    });
  });

  test('updates, restores, and deletes records that the file lacks', async () => {
    const lines = (await opened.exportText('item')).trim().split('\n');
    const records = lines.map((line) => JSON.parse(line));
    const [sword, shield, axe] = records;
    await opened.client.mutate('items.delete', {
      sandbox_id: opened.sandbox,
      item_id: sword.item_id,
      expected_version: 1,
    });
    const changed = { ...shield, description: undefined, name: 'Buckler' };
    const file = [{ ...sword, tags: [] }, changed]
      .map((row) => `${JSON.stringify(row)}\n`)
      .join('');
    const query = { delete_missing: true };
    const { body } = await opened.client.apply(opened.sandbox, 'item', query, file);
    expect(body.counts).toEqual({ create: 0, update: 1, restore: 1, delete: 1, unchanged: 0 });
    const now = (await opened.exportText('item'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(now).toEqual([{ ...sword, tags: [] }, JSON.parse(JSON.stringify(changed))]);
    const gone = await opened.client.query('items.get', {
      sandbox_id: opened.sandbox,
      item_id: axe.item_id,
    });
    expect(gone.deleted).toBe(true);
  });

  test('keeps fields without a column in a CSV file, and clears empty cells', async () => {
    const [sword, , axe] = (await opened.exportText('item'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const csv = `item_id,name,description\r\n${sword.item_id},Blade,Long\r\n${axe.item_id},Axe,\r\n`;
    await opened.client.apply(opened.sandbox, 'item', { format: 'csv' }, csv);
    const now = (await opened.exportText('item'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(now[0]).toEqual({ ...sword, name: 'Blade', description: 'Long' });
    expect(now[2]).toEqual({ ...axe, name: 'Axe', description: undefined });
  });

  test('is refused after any other write', async () => {
    const file = '{"name":"Bow","item_type":"unit"}';
    const { plan_digest = '', head_seq } = await opened.client.plan(
      opened.sandbox,
      'item',
      {},
      file,
    );
    await opened.client.mutate('xp.create', { sandbox_id: opened.sandbox, ...XP[0] });
    const approved = { mode: 'apply', plan_digest, expected_head_seq: head_seq };
    const late = await opened.client.importFile(opened.sandbox, 'item', approved, file);
    expect(late).toMatchObject({ status: 409, body: { error_code: 'import_outdated' } });
    const lying = { ...approved, expected_head_seq: head_seq + 1 };
    const changed = await opened.client.importFile(opened.sandbox, 'item', lying, file);
    expect(changed).toMatchObject({ status: 409, body: { error_code: 'import_outdated' } });
    expect(await opened.headSeq()).toBe(head_seq + 1);
  });

  test.each([
    ['another file', {}, '{"name":"Spear","item_type":"unit"}'],
    ['other options', { delete_missing: true }, '{"name":"Bow","item_type":"unit"}'],
    ['another reason', { reason: 'Why not' }, '{"name":"Bow","item_type":"unit"}'],
  ])('is refused with %s than shown', async (_, query, file) => {
    const { plan_digest = '', head_seq } = await opened.client.plan(
      opened.sandbox,
      'item',
      {},
      '{"name":"Bow","item_type":"unit"}',
    );
    const approved = { ...query, mode: 'apply', plan_digest, expected_head_seq: head_seq };
    const answer = await opened.client.importFile(opened.sandbox, 'item', approved, file);
    expect(answer).toMatchObject({ status: 409, body: { error_code: 'import_outdated' } });
    expect(await opened.headSeq()).toBe(head_seq);
  });

  test('of the same plan twice at once writes it once', async () => {
    const file = '{"name":"Bow","item_type":"unit"}';
    const { plan_digest = '', head_seq } = await opened.client.plan(
      opened.sandbox,
      'item',
      {},
      file,
    );
    const approved = { mode: 'apply', plan_digest, expected_head_seq: head_seq };
    const answers = await Promise.all(
      [1, 2].map(() => opened.client.importFile(opened.sandbox, 'item', approved, file)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await opened.headSeq()).toBe(head_seq + 1);
  });

  test('requires the plan that it applies', async () => {
    const answer = await opened.client.importFile(opened.sandbox, 'item', { mode: 'apply' }, '');
    expect(answer.status).toBe(422);
    expect(answer.body.detail.map(({ loc }) => loc[1])).toEqual([
      'expected_head_seq',
      'plan_digest',
    ]);
  });

  test('to a protected sandbox requires an administrator and its name, unless it only adds records', async () => {
    await opened.client.mutate('sandboxes.update', {
      sandbox_id: opened.sandbox,
      protected: true,
      required_approvals: 0,
    });
    const editor = createTransferClient(opened.service, { permissions: ['sandbox:config:edit'] });
    const added = await editor.apply(
      opened.sandbox,
      'item',
      {},
      '{"name":"Bow","item_type":"unit"}',
    );
    expect(added.status).toBe(200);
    const [first] = (await opened.exportText('item')).split('\n');
    const file = JSON.stringify({ ...JSON.parse(first ?? ''), name: 'Other' });
    expect(await editor.apply(opened.sandbox, 'item', {}, file)).toMatchObject({
      status: 403,
      body: { error_code: 'sandbox_protected' },
    });
    expect(await opened.client.apply(opened.sandbox, 'item', {}, file)).toMatchObject({
      status: 409,
      body: { error_code: 'sandbox_confirmation_required' },
    });
    const confirmed = await opened.client.apply(
      opened.sandbox,
      'item',
      { confirm_sandbox_name: 'Live' },
      file,
    );
    expect(confirmed.status).toBe(200);
  });

  test('to a protected sandbox restores a record only unchanged', async () => {
    const [line = ''] = (await opened.exportText('item')).split('\n');
    const sword = JSON.parse(line);
    const { sandbox } = opened;
    const input = { sandbox_id: sandbox, item_id: sword.item_id, expected_version: 1 };
    await opened.client.mutate('items.delete', input);
    await opened.client.mutate('sandboxes.update', {
      sandbox_id: sandbox,
      protected: true,
      required_approvals: 0,
    });
    const editor = createTransferClient(opened.service, { permissions: ['sandbox:config:edit'] });
    const changed = JSON.stringify({ ...sword, name: 'Other' });
    expect(await editor.apply(sandbox, 'item', {}, changed)).toMatchObject({
      status: 403,
      body: { error_code: 'sandbox_protected' },
    });
    expect(await opened.client.apply(sandbox, 'item', {}, changed)).toMatchObject({
      status: 409,
      body: { error_code: 'sandbox_confirmation_required' },
    });
    expect(await editor.apply(sandbox, 'item', {}, line)).toMatchObject({ status: 200 });
  });
});
