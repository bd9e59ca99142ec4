import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createSemaphore } from '../../flow/index.ts';
import type { TestCatalogue } from '../testing/open-test-catalogue.ts';
import { ACTOR, anItem, anXp, openTestCatalogue } from '../testing/open-test-catalogue.ts';
import type { VerificationService } from './verification-service.ts';
import { createVerificationService } from './verification-service.ts';
import { createVerificationStore } from './verification-store.ts';

let opened: TestCatalogue;
let service: VerificationService;
let sandbox_id: string;
let itemId: string;

beforeAll(async () => {
  opened = await openTestCatalogue();
  service = createVerificationService(createVerificationStore(opened.database), createSemaphore(1));
});
afterAll(() => opened.close());

/** Six versions: two Items and an Xp table, edited, one deleted; a second sandbox must have no influence. */
beforeEach(async () => {
  const { items, xp } = opened.catalogue;
  const other = await opened.addSandbox('Other');
  await items.create(ACTOR, { sandbox_id: other, ...anItem('Elsewhere') });
  sandbox_id = await opened.addSandbox();
  const sword = await items.create(ACTOR, { sandbox_id, ...anItem('Sword'), legacy_item_id: 7 });
  itemId = sword.item_id;
  await xp.create(ACTOR, { sandbox_id, ...anXp('Levels') });
  const shield = await items.create(ACTOR, { sandbox_id, ...anItem('Shield'), reason: 'New' });
  const edit = { sandbox_id, item_id: itemId, reason: undefined };
  await items.update(ACTOR, { ...edit, expected_version: 1, name: 'Blade' });
  await items.update(ACTOR, { ...edit, expected_version: 2, tags: ['sharp'] });
  await items.delete(ACTOR, { sandbox_id, item_id: shield.item_id, expected_version: 1 });
});

const sql = (text: string) => opened.database.pool.query(text, [sandbox_id]);
const check = (afterSeq = 0, limit = 5000) => service.check(sandbox_id, afterSeq, limit);

test('finds nothing in an untouched chain, whole or in stretches', async () => {
  const whole = await check();
  expect(whole).toEqual({
    checked_to_seq: 6,
    head_seq: 6,
    head_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    done: true,
  });
  expect(await check(0, 4)).toEqual({ ...whole, checked_to_seq: 4, done: false });
  expect(await check(4, 4)).toEqual(whole);
  expect(await check(0, 6)).toMatchObject({ checked_to_seq: 6, done: false });
  expect(await check(6, 6)).toEqual(whole);
});

test('ignores a record with the same id in another sandbox', async () => {
  const [original, copy] = [await opened.addSandbox('Original'), await opened.addSandbox('Copy')];
  const item = { item_id: itemId, ...anItem('Sword') };
  await opened.catalogue.items.create(ACTOR, { sandbox_id: original, ...item });
  await opened.catalogue.items.create(ACTOR, { sandbox_id: copy, ...item });
  const rename = `UPDATE catalogue_record SET name = 'Axe' WHERE sandbox_id = $1`;
  await opened.database.pool.query(rename, [original]);
  expect((await service.check(original, 0, 10)).broken).toMatchObject({ what: 'record.name' });
  expect(await service.check(copy, 0, 10)).not.toHaveProperty('broken');
});

test('finds nothing in an empty sandbox', async () => {
  const empty = await opened.addSandbox('Empty');
  const found = await service.check(empty, 0, 10);
  expect(found).toEqual({ checked_to_seq: 0, head_seq: 0, done: true });
});

test('refuses an unknown sandbox', async () => {
  const nowhere = '00000000-0000-0000-0000-000000000009';
  await expect(service.check(nowhere, 0, 10)).rejects.toMatchObject({ code: 'sandbox_not_found' });
});

test.each([
  ['snapshot', `snapshot = replace(snapshot, '"Shield"', '"Shield" ')`],
  ['account', `account_id = 'someone-else'`],
  ['reason', `reason = 'Old'`],
  ['absent reason', 'reason = NULL'],
  ['time', `issued_at = issued_at + interval '1 millisecond'`],
  ['operation', `operation = 'restore'`],
  ['version id', 'version_id = gen_random_uuid()'],
  ['transaction id', 'transaction_id = gen_random_uuid()'],
  ['version', 'version = 9'],
  ['hash', `hash = sha256('x')`],
  [
    'kind',
    `kind = 'xp', record_id = (SELECT record_id FROM catalogue_record WHERE sandbox_id = $1 AND kind = 'xp')`,
  ],
])('finds a version whose %s was changed', async (_, change) => {
  await sql(`UPDATE catalogue_version SET ${change} WHERE sandbox_id = $1 AND seq = 3`);
  expect(await check()).toMatchObject({
    checked_to_seq: 2,
    done: true,
    broken: { seq: 3, what: 'hash', version_id: expect.any(String) },
  });
});

test('finds a version that was replaced by one of another record', async () => {
  await sql(`UPDATE catalogue_version SET record_id = (SELECT record_id FROM catalogue_version
    WHERE sandbox_id = $1 AND seq = 1) WHERE sandbox_id = $1 AND seq = 3`);
  expect((await check()).broken).toMatchObject({ seq: 3, what: 'hash' });
});

test('finds a changed name of a version', async () => {
  await sql(`UPDATE catalogue_version SET version_name = 'Axe' WHERE sandbox_id = $1 AND seq = 4`);
  expect((await check()).broken).toMatchObject({
    seq: 4,
    what: 'version_name',
    expected: 'Blade',
    found: 'Axe',
  });
});

test.each([
  [4, `'{}'`, 'name', ''],
  [5, `'{name,tags}'`, 'tags', 'name, tags'],
  [6, `'{name}'`, '', 'name'],
])('finds altered changed_fields of version %i', async (seq, fields, expected, found) => {
  await sql(
    `UPDATE catalogue_version SET changed_fields = ${fields} WHERE sandbox_id = $1 AND seq = ${seq}`,
  );
  expect((await check()).broken).toMatchObject({ seq, what: 'changed_fields', expected, found });
});

test('finds a version removed in the middle', async () => {
  await sql('DELETE FROM catalogue_version WHERE sandbox_id = $1 AND seq = 3');
  expect(await check()).toMatchObject({
    checked_to_seq: 2,
    broken: { seq: 3, what: 'position', expected: '3', found: '4' },
  });
  expect((await check(3)).broken).toMatchObject({ seq: 3, what: 'position' });
});

test('finds a version removed in the middle even when the positions were renumbered', async () => {
  await sql('DELETE FROM catalogue_version WHERE sandbox_id = $1 AND seq = 3');
  for (const seq of [4, 5, 6]) {
    await sql(`UPDATE catalogue_version SET seq = seq - 1 WHERE sandbox_id = $1 AND seq = ${seq}`);
  }
  expect((await check()).broken).toMatchObject({ seq: 3, what: 'hash' });
});

test('finds a removed tail', async () => {
  await sql('DELETE FROM catalogue_version WHERE sandbox_id = $1 AND seq >= 5');
  // Their records still show the removed versions.
  expect((await check()).broken).toMatchObject({ seq: 3, what: 'record.head_seq' });
});

test('finds a removed tail even when the records were reverted', async () => {
  await sql('DELETE FROM catalogue_version WHERE sandbox_id = $1 AND seq = 6');
  await sql(`UPDATE catalogue_record r SET head_seq = v.seq, version = v.version, deleted = false
    FROM catalogue_version v WHERE v.sandbox_id = $1 AND v.seq = 3 AND r.record_id = v.record_id`);
  expect((await check()).broken).toMatchObject({ what: 'head_seq', expected: '5', found: '6' });
});

test('finds a version that was added at the end', async () => {
  await sql(`INSERT INTO catalogue_version SELECT sandbox_id, 7, kind, record_id, version + 1, gen_random_uuid(),
    transaction_id, operation, account_id, reason, issued_at, version_name, snapshot, hash
    FROM catalogue_version WHERE sandbox_id = $1 AND seq = 6`);
  expect((await check()).broken).toMatchObject({ seq: 7, what: 'hash' });
});

test.each([
  ['snapshot', `snapshot = snapshot || ' '`, {}],
  ['name', `name = 'Axe'`, { expected: 'Blade', found: 'Axe' }],
  ['folded_name', `folded_name = 'axe'`, { expected: 'blade', found: 'axe' }],
  ['version', 'version = 2', { expected: '3', found: '2' }],
  ['deleted', 'deleted = true', { expected: 'false', found: 'true' }],
  ['head_seq', 'head_seq = 4', { expected: '5', found: '4' }],
  ['legacy_id', 'legacy_id = 8', { expected: '7', found: '8' }],
])('finds a record whose %s is not that of its newest version', async (field, change, facts) => {
  await sql(
    `UPDATE catalogue_record SET ${change} WHERE sandbox_id = $1 AND record_id = '${itemId}'`,
  );
  expect((await check()).broken).toMatchObject({ seq: 5, what: `record.${field}`, ...facts });
});

test('finds a record without a version', async () => {
  await sql(`INSERT INTO catalogue_record (sandbox_id, kind, record_id, name, folded_name, version, head_seq, snapshot,
    created_at, updated_at) VALUES ($1, 'item', gen_random_uuid(), 'Axe', 'axe', 1, 6, '{}', now(), now())`);
  expect((await check()).broken).toMatchObject({ seq: 6, what: 'record' });
});

test.each([
  ['head_seq', 'head_seq = 7', { expected: '6', found: '7' }],
  ['head_hash', `head_hash = sha256('x')`, {}],
  ['head_hash', 'head_hash = NULL', { found: '' }],
  ['item_versions', 'item_versions = 6', { expected: '5', found: '6' }],
  ['xp_versions', 'xp_versions = 0', { expected: '1', found: '0' }],
])('finds a wrong %s of the sandbox', async (what, change, facts) => {
  await sql(`UPDATE sandbox SET ${change} WHERE sandbox_id = $1`);
  const found = await check();
  expect(found.broken).toMatchObject({ seq: 6, what, ...facts });
  expect(found).toMatchObject({ checked_to_seq: 6, done: true });
});

test('reports nothing for edits during a check', async () => {
  const { items } = opened.catalogue;
  const checks = Array.from({ length: 20 }, () => check());
  const edits = Array.from({ length: 20 }, (_, n) =>
    items.create(ACTOR, { sandbox_id, ...anItem(`Item ${n}`) }),
  );
  for (const found of await Promise.all(checks)) expect(found).not.toHaveProperty('broken');
  await Promise.all(edits);
  expect(await check()).toMatchObject({ checked_to_seq: 26, done: true });
});
