// Sessions that are created at the same moment: of two that cannot both be, one is, and the other is told why.
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

/** The statement runs for every row of a table that is inserted, before it is. */
const onInsert = (table: string, statement: string) =>
  run(`
    CREATE FUNCTION on_insert() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${statement}; RETURN NEW; END $$;
    CREATE TRIGGER on_insert BEFORE INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION on_insert()`);

/** The codes of those that were refused. */
const createAtOnce = async (changes: Parameters<typeof createSession>[2][]): Promise<unknown[]> => {
  const created = changes.map((change, index) => createSession(nodes[index % 2]!, 4, change));
  const settled = await Promise.allSettled(created);
  return settled.flatMap((result) =>
    result.status === 'rejected' ? (result.reason.code ?? result.reason) : [],
  );
};

test('of many sessions of one name one is created, and the others are told that it exists', async () => {
  await onInsert('session', 'PERFORM pg_sleep(0.1)');
  const session_id = randomUUID();
  const same = Array.from({ length: 4 }, () => ({ session_id, platform_session: [] }));
  expect(await createAtOnce(same)).toEqual(['session_exists', 'session_exists', 'session_exists']);
});

test('of two sessions that name the same platform sessions in opposite order one is created', async () => {
  await onInsert('platform_session_route', 'PERFORM pg_sleep(0.1)');
  const shared = [platformSession(), platformSession()];
  const opposite = [{ platform_session: shared }, { platform_session: shared.toReversed() }];
  expect(await createAtOnce(opposite)).toEqual(['platform_session_taken']);
});

test('a creation that the database gave up for another one may be tried again', async () => {
  await onInsert('session', `RAISE EXCEPTION USING ERRCODE = '40P01'`);
  expect(await createAtOnce([{}])).toEqual(['session_busy']);
});
