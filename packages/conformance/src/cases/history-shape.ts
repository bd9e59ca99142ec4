import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { expectOk } from '../checks.ts';
import type { Kind } from '../fixtures/catalogue.ts';
import {
  editRecord,
  ITEM,
  newOnlyRecord,
  newRecord,
  newSandbox,
  ofBothKinds,
  XP,
} from '../fixtures/catalogue.ts';
import { historyPath, readHistory, tryHistory } from '../fixtures/histories.ts';
import { randomLegacyId, randomLetteredUuid } from '../fixtures/joins.ts';
import type { Prove } from '../target/context.ts';
import { inSection } from '../target/context.ts';

const SECTION = 'History: elements';
const prove = inSection(SECTION);

const ITEM_FIELDS = {
  legacy_item_id: 7,
  name: 'Iron sword',
  description: 'A sword.',
  item_type: 'recipe',
  tags: ['weapon', 'melee'],
  level_xp_table_id: '0a1b2c3d-0000-0000-0000-00000000abcd',
  custom_data: { rarity: 'common' },
};

const XP_FIELDS = {
  legacy_xp_id: 7,
  name: 'Hero levels',
  description: 'How heroes grow.',
  xp_thresholds: [
    { level: 1, xp: 0 },
    { level: 2, xp: 100 },
  ],
  custom_data: { curve: 'steep' },
};

const everyKind = (kind: Kind, prove: Prove) => [
  prove('an element has exactly the documented fields', async (context) => {
    const record = await newOnlyRecord(context, kind);
    const body = expectOk(await tryHistory(context, record)) as {
      transactions: object[];
      page_meta: object;
    };
    assert.deepEqual(Object.keys(body).sort(), ['page_meta', 'transactions']);
    assert.deepEqual(Object.keys(body.page_meta).sort(), ['page_size', 'total']);
    const documented = ['account_id', 'issued_at', 'operation', 'transaction_id'];
    assert.deepEqual(
      Object.keys(body.transactions[0] ?? {}).sort(),
      [...documented, 'version', 'version_id', 'version_name'].sort(),
    );
  }),
  prove('account_id is the subject of who did it', async (context) => {
    const sandboxId = await newSandbox(context);
    const sub = `designer-${randomUUID()}`;
    const token = await context.mint({ sub, permissions: [`sandbox:${sandboxId}:config:edit`] });
    const input = { sandbox_id: sandboxId, name: 'made by a designer', ...kind.required };
    const made = await context.post(`/admin/trpc/${kind.router}.create`, input, token);
    assert.equal(made.status, 200, made.text);
    const { transactions } = await readHistory(context, { kind, sandboxId });
    assert.equal(transactions[0]?.account_id, sub);
  }),
  prove('issued_at is when it was done, in RFC 3339 UTC', async (context) => {
    const record = await newOnlyRecord(context, kind);
    const { transactions } = await readHistory(context, record);
    const issuedAt = transactions[0]?.issued_at ?? '';
    assert.match(issuedAt, /Z$/);
    assert.ok(Math.abs(Date.parse(issuedAt) - Date.now()) < 120_000, issuedAt);
  }),
  prove('version_id is unique for each element', async (context) => {
    let record = await newOnlyRecord(context, kind);
    for (let edit = 0; edit < 5; edit += 1) {
      record = await editRecord(context, record, 'update', { name: `name ${edit}` });
    }
    const { transactions } = await readHistory(context, record);
    assert.equal(new Set(transactions.map((element) => element.version_id)).size, 6);
    assert.equal(new Set(transactions.map((element) => element.transaction_id)).size, 6);
  }),
  prove('an optional field that was never set is absent from version', async (context) => {
    const record = await newOnlyRecord(context, kind);
    const { transactions } = await readHistory(context, record);
    for (const field of ['description', kind.legacyId, 'level_xp_table_id']) {
      assert.equal(field in (transactions[0]?.version ?? {}), false, field);
    }
  }),
  prove('both spellings of the path answer, without a redirect', async (context) => {
    const path = historyPath(await newOnlyRecord(context, kind));
    const [slash, bare] = [await context.get(path), await context.get(path.replace(/\/$/, ''))];
    assert.equal(slash.status, 200);
    assert.equal(bare.status, 200);
    assert.equal(bare.text, slash.text);
    const query = await context.get(`${path.replace(/\/$/, '')}?page_size=1`);
    assert.equal(query.status, 200);
  }),
  prove('an unknown sandbox has an empty history', async (context) => {
    const page = await readHistory(context, { kind, sandboxId: randomUUID() });
    assert.deepEqual(page, { transactions: [], page_meta: { page_size: 50, total: 0 } });
  }),
  prove('an upper-case sandbox id is taken, ids are written lower-case', async (context) => {
    const sandboxId = await newSandbox(context, randomLetteredUuid());
    const recordId = randomLetteredUuid();
    const input = { sandbox_id: sandboxId.toUpperCase(), name: 'x', ...kind.required };
    await context.mutate(`${kind.router}.create`, input);
    const page = await readHistory(context, { kind, sandboxId: sandboxId.toUpperCase() });
    assert.equal(page.transactions.length, 1);
    const id = String(page.transactions[0]?.version[kind.id]);
    assert.equal(id, id.toLowerCase());
    assert.notEqual(id, recordId);
  }),
  prove('a sandbox id without version bits is taken', async (context) => {
    const sandboxId = `${randomUUID().slice(0, 13)}-0000-0000-${randomUUID().slice(24)}`;
    await newSandbox(context, sandboxId);
    await newRecord(context, kind, sandboxId);
    const page = await readHistory(context, { kind, sandboxId });
    assert.equal(page.transactions.length, 1);
  }),
  prove('the history of a sandbox shows nothing of another', async (context) => {
    const [mine, other] = [await newSandbox(context), await newSandbox(context)];
    await newRecord(context, kind, mine);
    const page = await readHistory(context, { kind, sandboxId: other });
    assert.equal(page.page_meta.total, 0);
  }),
  prove('the history shows nothing of the other kind', async (context) => {
    const { sandboxId } = await newOnlyRecord(context, kind);
    const otherKind = kind === ITEM ? XP : ITEM;
    const page = await readHistory(context, { kind: otherKind, sandboxId });
    assert.deepEqual(page.transactions, []);
    assert.equal(page.page_meta.total, 0);
  }),
  prove('legacy ids may be any safe integer', async (context) => {
    const sandboxId = await newSandbox(context);
    for (const legacy of [0, -1, Number.MAX_SAFE_INTEGER, -randomLegacyId()]) {
      await newRecord(context, kind, sandboxId, { [kind.legacyId]: legacy });
      const query = { [`${kind.legacyId}s`]: legacy };
      const page = await readHistory(context, { kind, sandboxId }, query);
      assert.equal(page.transactions[0]?.version[kind.legacyId], legacy);
    }
  }),
];

export const historyShapeCases = [
  ...ofBothKinds(SECTION, everyKind),
  prove('Item: version is the whole Item, its ids among it', async (context) => {
    const record = await newOnlyRecord(context, ITEM, ITEM_FIELDS);
    const { transactions } = await readHistory(context, record);
    assert.deepEqual(transactions[0]?.version, { item_id: record.id, ...ITEM_FIELDS });
    assert.equal(transactions[0]?.version_name, 'Iron sword');
  }),
  prove('Xp: version is the whole Xp table, its ids among it', async (context) => {
    const record = await newOnlyRecord(context, XP, XP_FIELDS);
    const { transactions } = await readHistory(context, record);
    assert.deepEqual(transactions[0]?.version, { xp_id: record.id, ...XP_FIELDS });
    assert.equal(transactions[0]?.version_name, 'Hero levels');
  }),
  ...['unit', 'recipe', 'recipe_with_price_reduction', 'entitlement'].map((item_type) =>
    prove(`Item: item_type may be ${item_type}`, async (context) => {
      const record = await newOnlyRecord(context, ITEM, { item_type });
      const { transactions } = await readHistory(context, record);
      assert.equal(transactions[0]?.version.item_type, item_type);
    }),
  ),
];
