// Clients can send any cursor. The response is a page or a 400, never a fault.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestService } from '../../test/test-service.ts';
import { startTestService } from '../../test/test-service.ts';
import type { AdminClient } from './testing/admin-client.ts';
import { createAdminClient, createSession } from './testing/admin-client.ts';

const [LIVE, TEST] = [
  '2c0e8b1e-6d5f-4a37-9b63-0d7c1d5e8a11',
  '2c0e8b1e-6d5f-4a37-9b63-0d7c1d5e8a12',
];
const PLAYER = '11111111-1111-4111-8111-111111111111';

let service: TestService;
let client: AdminClient;
let session: { type: string; session_id: string };
beforeAll(async () => {
  service = await startTestService();
  client = createAdminClient(service);
  for (const sandbox_id of [LIVE, TEST]) {
    await client.mutate('sandboxes.create', { sandbox_id, name: 'Sandbox' });
    for (const name of ['A', 'B', 'C']) {
      await client.mutate('items.create', { sandbox_id, name, item_type: 'unit' });
      await client.mutate('xp.create', { sandbox_id, name, xp_thresholds: [] });
    }
  }
  await client.mutate('players.register', { player_uuid: PLAYER });
  await client.mutate('players.register', { player_uuid: LIVE });
  session = (await createSession(client)).name;
  await createSession(client);
});
afterAll(() => service.close());

const QUERIES: [procedure: string, input: () => object][] = [
  ['items.list', () => ({ sandbox_id: LIVE })],
  ['xp.list', () => ({ sandbox_id: LIVE })],
  ['sandboxes.list', () => ({})],
  ['versions.list', () => ({ sandbox_id: LIVE })],
  ['versions.list', () => ({ sandbox_id: LIVE, sort_order: 'asc', name: 'a' })],
  ['records.asOf', () => ({ sandbox_id: LIVE, kind: 'item' })],
  ['compare.list', () => ({ sandbox_id: LIVE, source_sandbox_id: TEST, kind: 'item' })],
  ['audit.list', () => ({})],
  ['players.list', () => ({})],
  ['players.sessions', () => ({ player_uuid: PLAYER })],
  ['players.events', () => ({ player_uuid: PLAYER })],
  ['refusedJoins.list', () => ({})],
  ['sessions.list', () => ({})],
  ['sessions.events', () => session],
];

const NIL = '00000000-0000-0000-0000-000000000000';
const MAX = Number.MAX_SAFE_INTEGER;
const BEYOND = 2 ** 63;
const LONG_AGO = -62_135_596_800_000;
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const POSITIONS: unknown[] = [
  null,
  0,
  '',
  [],
  {},
  [[]],
  NIL,
  [NIL],
  'x'.repeat(300),
  ['', NIL],
  ['\uffff\u{10ffff}', NIL],
  ['a\u0000', NIL],
  ['\ud800', NIL],
  ['%', LIVE],
  ...[LONG_AGO, LONG_AGO - 1, 8.64e15, 1e300, 0.5, -0, MAX, -MAX, BEYOND].map((at) => [at, NIL]),
  ...[0, -1, MAX, -MAX, BEYOND, 1.5].flatMap((n) => [
    [n, n, n, n],
    [n, -n, n, null],
    [NIL, n, n, n, n],
  ]),
  [NIL, '1', 2, 3, 4],
  [0, 0, 0, 0, 0],
  { 0: NIL, length: 1 },
];
const CURSORS = [...POSITIONS.map(encode), '0', '=', '%00', '\u0001', 'é', encode(1).slice(1)];

test.each(QUERIES)('%s answers any cursor with a page or with 400', async (procedure, input) => {
  const outcomes: { cursor: string; status: number; code: string | undefined }[] = [];
  for (const cursor of CURSORS) {
    const { status, error } = await client.query(procedure, { ...input(), cursor, page_size: 1 });
    outcomes.push({ cursor, status, code: error?.error_code });
  }
  const strange = outcomes.filter(
    ({ status, code }) => !(status === 200 || (status === 400 && code === 'input_invalid')),
  );
  expect(strange).toEqual([]);
  expect(outcomes.some(({ status }) => status === 400)).toBe(true);
});
