// Calls about sandboxes, their records and versions, and their files.
import { createAdminCaller } from '../admin-caller.ts';
import { createTransferClient } from '../transfer-client.ts';
import type { Recorder } from './recorder.ts';
import { COPY, idOf, ITEMS as items, MAIN, SPARE } from './recorder.ts';

const tables = [1, 2].map((number) => idOf('c00', number));

export const callSandboxes = async ({ query, mutate, walk }: Recorder) => {
  const names = ['Main', 'Copy', 'Spare'];
  for (const [index, sandbox_id] of [MAIN, COPY, SPARE].entries()) {
    await mutate('sandboxes.create', { sandbox_id, name: names[index] });
  }
  const spare = { sandbox_id: SPARE };
  await mutate('sandboxes.update', {
    ...spare,
    name: 'Other',
    protected: true,
    confirm_sandbox_name: 'Spare',
  });
  await mutate('sandboxes.update', { ...spare, protected: false, confirm_sandbox_name: 'Other' });
  await mutate('sandboxes.archive', { ...spare, confirm_sandbox_name: 'Other' });
  await walk('sandboxes.list', { status: 'archived' });
  await mutate('sandboxes.unarchive', spare);
  await mutate('sandboxes.archive', { ...spare, confirm_sandbox_name: 'Other' });
  await mutate('sandboxes.delete', { ...spare, confirm_sandbox_name: 'Other' });
  await walk('sandboxes.list', { status: 'deleted' });
  await mutate('sandboxes.restore', spare);
  await query('sandboxes.get', spare);
  const purged = { sandbox_id: '5a000000-0000-4000-8000-0000000000ff' };
  await mutate('sandboxes.create', { ...purged, name: 'Season 1' });
  await mutate('sandboxes.delete', { ...purged, confirm_sandbox_name: 'Season 1' });
  await mutate('sandboxes.purge', { ...purged, confirm_sandbox_name: 'Season 1' });
  await walk('sandboxes.list', { page_size: 1 });
};

export const callRecords = async ({ query, mutate, walk }: Recorder) => {
  const main = { sandbox_id: MAIN };
  for (const [index, item_id] of items.entries()) {
    const fields = {
      name: `Iron ${index}`,
      item_type: 'unit',
      tags: ['metal'],
      custom_data: { weight: `${index}` },
    };
    await mutate('items.create', { ...main, item_id, legacy_item_id: index + 1, ...fields });
  }
  const edit = { ...main, item_id: items[0] };
  const { version_id } = await query('items.get', edit);
  await mutate('items.update', {
    ...edit,
    expected_version: 1,
    name: 'Größe',
    reason: 'balance',
  });
  await mutate('items.update', { ...edit, expected_version: 1, name: 'late' });
  await mutate('items.delete', { ...edit, expected_version: 2 });
  await mutate('items.restore', {
    ...edit,
    expected_version: 3,
    ...(version_id !== undefined && { version_id }),
  });
  await mutate('items.delete', { ...main, item_id: items[3], expected_version: 1 });
  for (const [index, xp_id] of tables.entries()) {
    await mutate('xp.create', {
      ...main,
      xp_id,
      name: `Levels ${index}`,
      xp_thresholds: [{ level: 1, xp: 10 }],
    });
  }
  const table = { ...main, xp_id: tables[0] };
  await mutate('xp.update', {
    ...table,
    expected_version: 1,
    xp_thresholds: [{ level: 1, xp: 20 }],
  });
  await mutate('xp.delete', { ...table, expected_version: 2 });
  await mutate('xp.restore', { ...table, expected_version: 3 });
  await query('xp.get', table);
  const update = { operation: 'update', item_id: items[1], expected_version: 1, tags: ['rare'] };
  const create = {
    operation: 'create',
    item_id: idOf('b00', 9),
    name: 'Wood',
    item_type: 'recipe',
  };
  await mutate('items.bulk', { ...main, operations: [update, create], reason: 'season' });
  await mutate('xp.bulk', {
    ...main,
    operations: [{ operation: 'delete', xp_id: tables[1], expected_version: 1 }],
  });
  const lists = [
    {},
    { name: 'iron' },
    { name: 'GRÖ' },
    { include_deleted: true },
    { only_deleted: true },
    { sort: 'name' },
    { order: 'desc' },
    { sort: 'name', order: 'desc' },
    { sort: 'custom_data.weight' },
    { sort: 'custom_data.weight', order: 'desc', name: 'iron' },
  ];
  for (const filter of lists) {
    await walk('items.list', { ...main, ...filter, page_size: 2 });
    await walk('xp.list', { ...main, ...filter, page_size: 1 });
  }
  const where = {
    and: [
      { field: 'custom_data.weight', op: 'gte', value: '1' },
      { field: 'name', op: 'ne', value: 'Iron 2' },
    ],
  };
  const filters = [{ item_type: 'unit' }, { tag: 'rare' }, { custom_key: 'weight' }, { where }];
  for (const filter of filters) {
    await walk('items.list', { ...main, ...filter });
  }
  for (const text of ['iron', 'wood', 'levels', 'player', 'one', items[1], '2']) {
    await query('search.find', { query: text });
    await query('search.find', { query: text, sandbox_id: MAIN });
  }
};

export const callVersions = async (recorder: Recorder) => {
  const { query, mutate, walk } = recorder;
  const main = { sandbox_id: MAIN };
  const past = new Date(0).toISOString();
  const filters = [
    {},
    { kind: 'item' },
    { kind: 'item', record_id: items[0] },
    { account_id: 'tester' },
    { operation: 'delete' },
    { name: 'iron' },
    { changed_field: 'tags' },
    { from: past },
    { to: past },
    { sort_order: 'asc' },
    { kind: 'xp', operation: 'update' },
    { kind: 'item', name: 'größe', sort_order: 'asc' },
  ];
  for (const filter of filters) await walk('versions.list', { ...main, ...filter, page_size: 4 });
  const listed = await query('versions.list', { ...main, kind: 'item', record_id: items[0] });
  const versions = (Object.values(listed ?? {}).find(Array.isArray) ?? []) as {
    version_id: string;
    transaction_id: string;
  }[];
  const [to, from] = versions;
  await query('versions.list', { ...main, transaction_id: to?.transaction_id });
  await query('versions.get', { ...main, version_id: to?.version_id });
  await query('versions.diff', {
    ...main,
    from_version_id: from?.version_id,
    to_version_id: to?.version_id,
  });
  await callChangeSets(recorder, to?.transaction_id);
  await walk('edits.list', { ...main, page_size: 4 });
  await walk('records.asOf', { ...main, kind: 'item', seq: 6, page_size: 2 });
  await walk('records.asOf', { ...main, kind: 'item', at: new Date().toISOString() });
  await walk('records.asOf', {
    ...main,
    kind: 'item',
    at: new Date().toISOString(),
    name: 'iron',
  });
  await walk('records.asOf', { ...main, kind: 'xp', at: new Date().toISOString() });
  await mutate('items.create', {
    sandbox_id: COPY,
    item_id: items[1],
    name: 'Iron',
    item_type: 'unit',
  });
  await mutate('items.create', {
    sandbox_id: COPY,
    item_id: idOf('b00', 7),
    name: 'Own',
    item_type: 'unit',
  });
  const pair = { sandbox_id: COPY, source_sandbox_id: MAIN, kind: 'item' };
  await walk('compare.list', { ...pair, page_size: 2 });
  for (const status of ['only_source', 'only_target', 'different'])
    await walk('compare.list', { ...pair, status });
  await walk('compare.list', { ...pair, kind: 'xp' });
  const own = { ...pair, source_sandbox_id: pair.sandbox_id, kind: 'item', page_size: 2 };
  await walk('compare.list', { ...own, source_at: '2020-01-01T00:00:00Z' });
  await walk('compare.list', { ...own, source_at: new Date().toISOString() });
  const promote = { ...pair, record_ids: [items[1], items[2]] };
  const { change_set_id, revision } = await mutate('changeSets.promote', promote);
  const promoted = { sandbox_id: COPY, change_set_id, expected_revision: revision };
  await mutate('changeSets.apply', promoted);
  await mutate('changeSets.promote', { ...pair, title: 'All', include_referenced: true });
  await mutate('changeSets.promote', { ...pair, status: 'different' });
  await query('verification.check', main);
  await query('verification.check', { ...main, after_seq: 3, limit: 4 });
  await query('overview.get', main);
  await query('overview.get', { sandbox_id: SPARE });
};

const callChangeSets = async (
  { query, mutate, walk, record, service }: Recorder,
  transaction_id: string | undefined,
) => {
  const main = { sandbox_id: MAIN };
  const set = { ...main, change_set_id: idOf('e00', 1) };
  await mutate('changeSets.create', { ...set, title: 'Season 2' });
  await mutate('changeSets.update', { ...set, reason: 'Balance', expected_revision: 1 });
  const edit = { kind: 'item', item_id: items[1] };
  const operations = [
    { ...edit, operation: 'update', expected_version: 1, description: 'New' },
    { kind: 'item', item_id: items[2], operation: 'delete', expected_version: 9 },
  ];
  await mutate('changeSets.addOperations', { ...set, operations });
  await mutate('changeSets.addOperations', { ...set, operations });
  const records = [{ kind: 'item', record_id: items[2] }];
  await mutate('changeSets.removeOperations', { ...set, records });
  await mutate('changeSets.addOperations', { ...set, operations: operations.slice(1) });
  await walk('changeSets.preview', { ...set, page_size: 1 });
  await mutate('changeSets.apply', { ...set, expected_revision: 6 });
  await mutate('changeSets.removeOperations', { ...set, records });
  await mutate('changeSets.apply', { ...set, expected_revision: 7 });
  await mutate('changeSets.apply', { ...set, expected_revision: 7 });
  await mutate('edits.revert', { ...main, transaction_id });
  const schema = { ...main, item_type: 'entitlement' };
  const fields = [{ key: 'price', type: 'number', required: true }];
  await mutate('itemSchemas.set', { ...schema, fields, expected_version: 0 });
  await mutate('itemSchemas.promote', {
    sandbox_id: COPY,
    source_sandbox_id: MAIN,
    item_type: 'entitlement',
    expected_version: 0,
    expected_source_version: 1,
  });
  await query('itemSchemas.list', main);
  await query('itemSchemas.get', schema);
  await query('itemSchemas.problems', main);
  await walk('itemSchemas.history', { ...schema, page_size: 1 });
  const view = { ...main, kind: 'item', search: '?name=a' };
  const made = await mutate('views.create', { ...view, name: 'Own' });
  await mutate('views.create', { ...view, name: 'Shared', shared: true });
  const { view_id } = made ?? {};
  await mutate('views.update', { ...main, view_id, name: 'Ours', shared: true });
  await query('views.list', { ...main, kind: 'item' });
  await mutate('views.remove', { ...main, view_id });
  const past = { ...main, kind: 'item', at: '2020-01-01T00:00:00Z', title: 'Before' };
  await mutate('changeSets.restorePast', past);
  await mutate('changeSets.restorePast', { ...past, at: '2090-01-01T00:00:00Z', name: 'a' });
  const undo = await mutate('changeSets.revert', set);
  await mutate('changeSets.apply', {
    ...main,
    change_set_id: undo.change_set_id,
    expected_revision: undo.revision,
  });
  const cancelled = { ...main, change_set_id: idOf('e00', 2) };
  await mutate('changeSets.create', { ...cancelled, title: 'Season 3' });
  const edits = [{ op: 'add', field: 'custom_data.price', value: '1' }];
  const where = { and: [{ field: 'name', op: 'is_not_empty' }] };
  const change = { kind: 'item', operation: 'update', edits };
  for (const target of [{ ids: [items[1], items[2]] }, { filter: {} }, { filter: { where } }]) {
    await mutate('changeSets.addMatching', { ...cancelled, matching: { ...change, ...target } });
  }
  await walk('changeSets.preview', { ...cancelled, page_size: 1 });
  await mutate('changeSets.removeOperations', { ...cancelled, not_computable: true });
  const filled = { ...cancelled, operations: operations.slice(0, 1) };
  const { revision } = await mutate('changeSets.addOperations', filled);
  const at = (steps: number) => ({ ...cancelled, expected_revision: Number(revision) + steps });
  await mutate('changeSets.submit', at(0));
  await mutate('changeSets.comment', { ...cancelled, text: 'Too early' });
  await walk('changeSets.comments', { ...cancelled, page_size: 1 });
  // Only a person who did not change the set may approve it.
  const { cookie } = await service.createPerson({ role: 'editor' });
  const person = createAdminCaller(service.baseUrl, { cookie });
  const byPerson = (call: string, input: object) => record(person, 'mutate', call, input);
  await byPerson('changeSets.approve', at(1));
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
  await byPerson('changeSets.schedule', { ...at(2), apply_at: tomorrow });
  await byPerson('changeSets.unschedule', at(3));
  await byPerson('changeSets.reject', { ...at(4), reason: 'Too early' });
  await mutate('changeSets.acknowledge', cancelled);
  await mutate('changeSets.cancel', cancelled);
  await query('changeSets.get', set);
  await walk('changeSets.list', { ...main, page_size: 1 });
  await walk('changeSets.list', { ...main, state: 'draft' });
};

export const callTransfers = async ({ note, service }: Recorder) => {
  const client = createTransferClient(service);
  for (const kind of ['item', 'xp']) {
    for (const format of ['ndjson', 'csv']) {
      const answer = await client
        .exportFile(MAIN, kind, { format })
        .then(async (response) => ({ status: response.status, text: await response.text() }))
        // The service closes the connection when it fails in the middle of a file.
        .catch(() => ({ status: 0, text: 'broken off' }));
      note(`export ${kind} ${format}`, answer.status, answer.text);
    }
  }
  const file = '{"name":"Bow","item_type":"unit"}\n';
  const { status, body } = await client.importFile(COPY, 'item', {}, file);
  note('import item: plan', status, body);
  const draft = await client.importFile(COPY, 'item', { mode: 'draft', title: 'Draft' }, file);
  note('import item: draft', draft.status, draft.body);
  const approved = { plan_digest: body.plan_digest ?? '', expected_head_seq: body.head_seq };
  const applied = await client.importFile(COPY, 'item', { mode: 'apply', ...approved }, file);
  note('import item: apply', applied.status, applied.body);
};
