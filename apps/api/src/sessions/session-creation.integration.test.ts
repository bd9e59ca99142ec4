// Concurrent creations of conflicting sessions: one is created, and the other gets the reason.
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { JoinNode } from './testing/join-nodes.ts';
import { createSession, openJoinNodes, platformSession } from './testing/join-nodes.ts';

let nodes: readonly JoinNode[];
let close: () => Promise<void>;

beforeAll(async () => {
  const opened = await openJoinNodes();
  nodes = opened.nodes;
  close = opened.close;
});

afterAll(() => close());

afterEach(() => run('DROP FUNCTION IF EXISTS on_insert CASCADE'));

const run = (sql: string) => nodes[0]!.database.pool.query(sql);

/** Runs the statement before each row is inserted into a table. */
const onInsert = (table: string, statement: string) =>
  run(`
    CREATE FUNCTION on_insert() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${statement}; RETURN NEW; END $$;
    CREATE TRIGGER on_insert BEFORE INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION on_insert()`);

/** The codes of the refused creations. */
const createAtOnce = async (changes: Parameters<typeof createSession>[2][]): Promise<unknown[]> => {
  const created = changes.map((change, index) => createSession(nodes[index % 2]!, 4, change));
  const settled = await Promise.allSettled(created);
  return settled.flatMap((result) =>
    result.status === 'rejected' ? (result.reason.code ?? result.reason) : [],
  );
};

test('creates one of many sessions with the same name and refuses the others with session_exists', async () => {
  await onInsert('session', 'PERFORM pg_sleep(0.1)');
  const session_id = randomUUID();
  const same = Array.from({ length: 4 }, () => ({ session_id, platform_session: [] }));
  expect(await createAtOnce(same)).toEqual(['session_exists', 'session_exists', 'session_exists']);
});

test('creates one of two sessions that list the same platform sessions in opposite order', async () => {
  await onInsert('platform_session_route', 'PERFORM pg_sleep(0.1)');
  const shared = [platformSession(), platformSession()];
  const opposite = [{ platform_session: shared }, { platform_session: shared.toReversed() }];
  expect(await createAtOnce(opposite)).toEqual(['platform_session_taken']);
});

test('a creation that the database aborted for another one can be retried', async () => {
  await onInsert('session', `RAISE EXCEPTION USING ERRCODE = '40P01'`);
  expect(await createAtOnce([{}])).toEqual(['session_busy']);
});
