// Imports into a sandbox that requires a review.
import { expect, test } from 'vitest';
import { useTransferCatalogue } from './transfer-client.ts';

const opened = useTransferCatalogue();

const requireApproval = () =>
  opened.client.mutate('sandboxes.update', { sandbox_id: opened.sandbox, required_approvals: 1 });

const readSets = async () => {
  const input = { sandbox_id: opened.sandbox };
  const { change_sets } = await opened.client.query('changeSets.list', input);
  return change_sets as { change_set_id: string }[];
};

test('an import waits as one change set in review, also when it is repeated', async () => {
  await requireApproval();
  const file = Array.from(
    { length: 450 },
    (_, index) => `{"name":"Gem ${index}","item_type":"unit"}\n`,
  ).join('');
  const apply = () => opened.client.apply(opened.sandbox, 'item', { reason: 'Season 2' }, file);
  const { status, body } = await apply();
  expect([status, body.error_code]).toEqual([409, 'review_required']);
  const sets = await readSets();
  expect(sets).toMatchObject([
    {
      title: 'Import of 450 records',
      reason: 'Season 2',
      state: 'in_review',
      operation_count: 450,
    },
  ]);
  expect(body).toMatchObject({ change_set_id: sets[0]?.change_set_id });
  expect((await apply()).body).toMatchObject({ change_set_id: sets[0]?.change_set_id });
  expect(await readSets()).toHaveLength(1);
  const preview = await opened.client.preview(opened.sandbox, sets[0]?.change_set_id);
  expect(preview).toMatchObject({ counts: { changes: 450, problems: 0 } });
});

test('an import that changes a deleted record waits as one change that also restores it', async () => {
  const [line = ''] = (await opened.exportText('item')).split('\n');
  const sword = JSON.parse(line);
  const input = { sandbox_id: opened.sandbox, item_id: sword.item_id, expected_version: 1 };
  await opened.client.mutate('items.delete', input);
  await requireApproval();
  const changed = JSON.stringify({ ...sword, name: 'Other' });
  const { status, body } = await opened.client.apply(opened.sandbox, 'item', {}, changed);
  expect([status, body.error_code]).toEqual([409, 'review_required']);
  const [set] = await readSets();
  expect(set).toMatchObject({ title: 'Restore Other', state: 'in_review', operation_count: 1 });
  const { operations } = await opened.client.preview(opened.sandbox, set?.change_set_id);
  expect(operations).toMatchObject([
    { record_id: sword.item_id, operation: 'restore', name: 'Other' },
  ]);
});

test('equal imports at the same time wait as one change set, with the title of the call', async () => {
  await requireApproval();
  const file = Array.from(
    { length: 50 },
    (_, index) => `{"name":"Gem ${index}","item_type":"unit"}`,
  );
  const apply = () =>
    opened.client.apply(opened.sandbox, 'item', { title: 'Season 2' }, file.join('\n'));
  const answers = await Promise.all([apply(), apply()]);
  const [set, ...others] = await readSets();
  expect(others).toEqual([]);
  expect(set).toMatchObject({ title: 'Season 2', state: 'in_review', operation_count: 50 });
  for (const { body } of answers) {
    expect(body).toMatchObject({
      error_code: 'review_required',
      change_set_id: set?.change_set_id,
    });
  }
});

test('an import that waits in a protected sandbox needs the name of the sandbox when it is applied', async () => {
  const { client, sandbox: sandbox_id } = opened;
  await client.mutate('sandboxes.update', { sandbox_id, protected: true, required_approvals: 1 });
  const { name } = await client.query('sandboxes.get', { sandbox_id });
  const [line = ''] = (await opened.exportText('item')).split('\n');
  const file = JSON.stringify({ ...JSON.parse(line), name: 'Other' });
  await client.apply(sandbox_id, 'item', { confirm_sandbox_name: name }, file);
  const [set] = await readSets();
  await client.mutate('sandboxes.update', {
    sandbox_id,
    required_approvals: 0,
    confirm_sandbox_name: name,
  });
  const place = { sandbox_id, change_set_id: set?.change_set_id };
  const { revision: expected_revision } = await client.query('changeSets.get', place);
  const input = { ...place, expected_revision };
  await expect(client.mutate('changeSets.apply', input)).rejects.toThrow(
    'sandbox_confirmation_required',
  );
  await client.mutate('changeSets.apply', { ...input, confirm_sandbox_name: name });
});
