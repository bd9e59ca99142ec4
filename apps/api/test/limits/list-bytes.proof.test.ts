import { afterAll, beforeAll, expect, test } from 'vitest';
import { listProcedures } from '../../src/admin/testing/list-procedures.ts';
import type { AdminCaller } from '../admin-caller.ts';
import { createAdminCaller } from '../admin-caller.ts';
import type { TestService } from '../test-service.ts';
import { startTestService } from '../test-service.ts';
import { fillLists, PAGE_SIZE, PERSON, PLAYER, SANDBOX, SET, SOURCE, toId } from './fill-lists.ts';
import { readLimits, toBytes } from './read-limits.ts';

/** New names have no control characters, which take the most bytes in JSON: these take four bytes a character. */
const session = { type: '𝄞'.repeat(128), session_id: '𝄞'.repeat(128) };

let service: TestService;
let owner: AdminCaller;
beforeAll(async () => {
  // No edit could have written all rows of this test.
  service = await startTestService({ checksAdminAnswers: false });
  const person = await service.createPerson({ role: 'owner' });
  owner = createAdminCaller(service.baseUrl, person);
  await owner.mutate('sessionTypes.upsert', { type: session.type });
  await owner.mutate('sessions.create', { ...session, teams: [{ max_size: 1 }] });
  await fillLists(service.database, { session, accountId: person.accountId });
});
afterAll(() => service.close());

const ids = Array.from({ length: PAGE_SIZE }, (_, index) => toId(index + 1));
const page = { page_size: PAGE_SIZE };
const inSandbox = { sandbox_id: SANDBOX, ...page };
const ofSource = { ...inSandbox, source_sandbox_id: SOURCE };

/** Inputs by procedure. */
const QUESTIONS: Record<string, object[]> = {
  'me.signIns': [{}],
  'me.identities': [{}],
  'people.list': [{}],
  'people.identities': [{ account_id: PERSON }],
  'keys.list': [{ page_size: 1_000 }],
  'accounts.names': [{ account_ids: ids }],
  'audit.choices': [{}],
  'audit.get': [{ audit_id: toId(1) }],
  'audit.list': [page],
  'players.names': [{ player_uuids: ids }],
  'players.list': [page],
  'players.sessions': [{ player_uuid: PLAYER, ...page }],
  'players.events': [{ player_uuid: PLAYER, ...page }],
  'refusedJoins.list': [page],
  'sessionTypes.list': [{}],
  'sessions.list': [page],
  'sessions.events': [{ ...session, ...page }],
  'events.list': [{}],
  'webhooks.list': [{}],
  'webhooks.listDeliveries': [{ webhook_id: toId(1), ...page }],
  'sandboxes.list': [page],
  'items.list': [inSandbox],
  'xp.list': [inSandbox],
  'versions.list': [inSandbox],
  'edits.list': [inSandbox],
  'changeSets.list': [inSandbox],
  'changeSets.preview': [{ ...inSandbox, change_set_id: SET }],
  'changeSets.comments': [{ ...inSandbox, change_set_id: SET }],
  'itemSchemas.list': [{ sandbox_id: SANDBOX }],
  'itemSchemas.history': [{ sandbox_id: SANDBOX, item_type: 'unit', page_size: 50 }],
  'itemSchemas.problems': [inSandbox],
  'views.list': [{ sandbox_id: SANDBOX, kind: 'item' }],
  'records.asOf': ['item', 'xp'].map((kind) => ({ ...inSandbox, kind })),
  'compare.list': ['item', 'xp'].map((kind) => ({ ...ofSource, kind })),
  'search.find': [{ query: 'x' }],
  'system.get': [{}],
  'system.series': [{ minutes: 7 * 24 * 60 }],
};

/** These return numbers, or one person, player, record or session, which has the bounds of its writes. */
const SINGLE = [
  'me.get',
  'me.find',
  'accounts.signInMethods',
  'keys.use',
  'players.get',
  'players.count',
  'sessionTypes.get',
  'sessions.get',
  'sessions.find',
  'sessions.watch',
  'sessions.count',
  'webhooks.get',
  'sandboxes.get',
  'items.get',
  'xp.get',
  'versions.get',
  'versions.diff',
  'changeSets.get',
  'itemSchemas.get',
  'verification.check',
  'overview.get',
  'maintenance.get',
];

test('every query of the admin API that answers a list is filled here', () => {
  const queries = listProcedures().filter(({ type }) => type === 'query');
  const names = queries.map(({ name }) => name);
  expect([...Object.keys(QUESTIONS), ...SINGLE].sort()).toEqual(names.sort());
});

const LIMITS = readLimits();

test.each(Object.entries(QUESTIONS))(
  'the longest answer of %s has no more bytes than docs/operations/sizes.md says',
  async (name, questions) => {
    const cell = LIMITS.find(({ names }) => names.includes(name))?.cells.Answer ?? '';
    const most = toBytes(cell);
    for (const question of questions) {
      const { status, data } = await owner.query(name, question);
      expect(status).toBe(200);
      const bytes = Buffer.byteLength(JSON.stringify(data));
      expect(bytes).toBeLessThanOrEqual(most ?? 0);
      // A list that nothing fills would prove nothing.
      expect(bytes).toBeGreaterThan((most ?? 0) / 4);
    }
  },
);
