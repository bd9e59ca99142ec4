import { randomUUID } from 'node:crypto';
import { JoinRequest, Platform } from '@muster/contract';
import { openDatabase } from '@muster/database';
import { createTestDatabase } from '@muster/database/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { alwaysClosed } from '../../flow/index.ts';
import {
  createJoinService,
  createPlayerStore,
  createSessionCache,
  createSessionStore,
  etagOf,
  SessionQueue,
} from '../../sessions/index.ts';
import type { DemoExamples } from './demo-examples-store.ts';
import { findDemoExamples } from './demo-examples-store.ts';
import { createDemoDatabase } from './testing/demo-database.ts';

let demo: Awaited<ReturnType<typeof createDemoDatabase>>;

beforeAll(async () => {
  demo = await createDemoDatabase();
}, 30_000);

afterAll(() => demo.close());

/** The sample request, by the player of the example or by another one. */
const join = (
  { join: example }: DemoExamples,
  playerUuid = example.playerUuid,
  crossplay?: { permitted_platform: string; permitted_input: string },
) => {
  const sessions = createSessionStore(demo.database, { onBatch: () => {} });
  const service = createJoinService({
    sessions,
    queue: new SessionQueue({
      store: sessions,
      cache: createSessionCache(),
      maxSessionBytes: 1_048_576,
      onConflict: () => {},
      onDecided: () => {},
      onLook: () => {},
      onWritten: () => {},
    }),
    breaker: alwaysClosed,
    limitEvents: () => (events) => events,
    observeCache: () => () => {},
    players: createPlayerStore(demo.database),
    refusals: { record: () => {} },
  });
  return service.join(
    { accountId: playerUuid, permissions: ['session:update-player:self'] },
    {
      platform: Platform.parse(example.platform),
      platformSessionIdBase64: example.platformSessionIdBase64,
      playerUuid,
      request: JoinRequest.parse({
        client_version: example.clientVersion,
        client_settings: { platform: example.platform, input: example.input },
        team_id: example.teamId,
        crossplay_preferences: crossplay,
      }),
    },
  );
};

const getExamples = async (): Promise<DemoExamples> => {
  const examples = await findDemoExamples(demo.database);
  if (!examples) throw new Error('There are no examples.');
  return examples;
};

test('an empty database has no examples', async () => {
  const { url, drop } = await createTestDatabase();
  const empty = openDatabase({ url });
  expect(await findDemoExamples(empty)).toBeNull();
  await empty.close();
  await drop();
});

test('the sandbox of the examples has histories of Items and Xp tables', async () => {
  const { sandboxId } = await getExamples();
  const sandbox = await demo.database.prisma.sandbox.findUniqueOrThrow({ where: { sandboxId } });
  expect(Number(sandbox.itemVersions)).toBeGreaterThan(100);
  expect(Number(sandbox.xpVersions)).toBeGreaterThan(20);
});

test('a player who would exclude the sample player is refused', async () => {
  const psnOnly = {
    permitted_platform: 'desired_platforms_playstationlike',
    permitted_input: 'desired_inputs_any',
  };
  const refusal = join(await getExamples(), randomUUID(), psnOnly);
  await expect(refusal).rejects.toMatchObject({ code: 'crossplay_incompatible' });
});

test('another seat of the player is used while the instance of the held seat is closed', async () => {
  const before = await getExamples();
  await moveWelcomeInstance('closed');
  const after = await getExamples();
  await moveWelcomeInstance('joinable');
  expect(after.join.platformSessionIdBase64).not.toBe(before.join.platformSessionIdBase64);
  const first = await join(after);
  expect(etagOf(await join(after))).toBe(etagOf(first));
});

test('the held seat remains when others fill the session, and can be taken repeatedly', async () => {
  const examples = await getExamples();
  for (let free = 18; free > 0; free -= 1) await join(examples, randomUUID());
  await expect(join(examples, randomUUID())).rejects.toMatchObject({ code: 'session_full' });
  const first = await join(examples);
  expect(first.seats.get(examples.join.playerUuid)?.status).toBe('member');
  expect(await getExamples()).toEqual(examples);
  expect(etagOf(await join(examples))).toBe(etagOf(first));
});

test('a closed instance does not refuse a seated player', async () => {
  const before = await getExamples();
  await moveWelcomeInstance('closed');
  expect(await getExamples()).toEqual(before);
  expect((await join(before)).seats.size).toBe(20);
});

test('there are no examples without a seat of the sample player', async () => {
  const { join: example } = await getExamples();
  const { pool } = demo.database;
  await pool.query('DELETE FROM session_seat WHERE player_uuid = $1', [example.playerUuid]);
  expect(await findDemoExamples(demo.database)).toBeNull();
});

const moveWelcomeInstance = (status: string) =>
  demo.database.pool.query(
    `UPDATE session SET instance = jsonb_set(instance::jsonb, '{join_status}', to_jsonb($1::text))::json
     WHERE session_id = 'welcome'`,
    [status],
  );
