// The placement of every table, checked against the real schema.
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestDatabase } from '../testing/index.ts';
import { createTestDatabase } from '../testing/index.ts';
import type { Placed, Table } from './distribute.ts';
import { findObstacles, planDistribution, readTables } from './distribute.ts';
import type { Placement } from './placements.ts';
import { PLACEMENTS } from './placements.ts';

let database: TestDatabase;
let client: pg.Client;
let tables: Table[];
beforeAll(async () => {
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  tables = await readTables(client);
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

/** What the tables are after some DDL, which is taken back. */
const readAfter = async (ddl: string): Promise<Table[]> => {
  await client.query('BEGIN');
  await client.query(ddl);
  const changed = await readTables(client);
  await client.query('ROLLBACK');
  return changed;
};

describe('the placement of the schema', () => {
  test('places every table once, and Citus has nothing against it', () => {
    expect(tables.map(({ name }) => name)).toEqual(Object.keys(PLACEMENTS).sort());
    expect(findObstacles(tables, PLACEMENTS)).toEqual([]);
  });

  test('places what foreign keys lead to before what they come from', () => {
    const order = Object.keys(PLACEMENTS);
    for (const { name, foreignKeys } of tables) {
      for (const { references } of foreignKeys) {
        expect(order.indexOf(references.table)).toBeLessThan(order.indexOf(name));
      }
    }
  });

  test.each<[string, string, string]>([
    ['a new table', 'CREATE TABLE forgotten (a int PRIMARY KEY)', 'forgotten is not placed.'],
    [
      'a unique index without the key',
      'CREATE UNIQUE INDEX one_position ON session_team (position)',
      'one_position would have to be unique across nodes: it lacks session_key.',
    ],
    [
      'a foreign key that follows',
      `ALTER TABLE session_team DROP CONSTRAINT session_team_session_key_fkey,
         ADD CONSTRAINT follows FOREIGN KEY (session_key) REFERENCES session ON UPDATE CASCADE`,
      'follows of session_team follows keys that change.',
    ],
    [
      'a foreign key to another group',
      `ALTER TABLE platform_session_route
         ADD CONSTRAINT leaves FOREIGN KEY (session_key) REFERENCES session`,
      'leaves of platform_session_route leads to another group.',
    ],
    [
      'a foreign key from every node to one',
      `ALTER TABLE session_type ADD COLUMN plays uuid CONSTRAINT back REFERENCES session`,
      'back of session_type leads from every node to one.',
    ],
    [
      'a foreign key beside the key',
      `ALTER TABLE session_event ADD COLUMN other uuid CONSTRAINT beside REFERENCES session`,
      'beside of session_event does not carry session_key to session_key.',
    ],
    [
      'a trigger',
      `CREATE TRIGGER reaches BEFORE INSERT ON session_seat
         FOR EACH ROW EXECUTE FUNCTION session_check_instance()`,
      'reaches of session_seat may reach for rows of other nodes.',
    ],
    [
      'a key that may be absent',
      `ALTER TABLE session_event DROP CONSTRAINT session_event_pkey,
         ALTER COLUMN session_key DROP NOT NULL`,
      'session_event.session_key may be NULL, which belongs to no node.',
    ],
  ])('%s is an obstacle', async (_, ddl, sentence) => {
    expect(findObstacles(await readAfter(ddl), PLACEMENTS)).toEqual([sentence]);
  });

  test.each<[string, Placement, string]>([
    [
      'by a column that it lacks',
      { kind: 'distributed', by: 'sandbox_id', with: 'sandbox' },
      'session_event has no column sandbox_id to be distributed by.',
    ],
    [
      'with a table of another type',
      { kind: 'distributed', by: 'session_key', with: 'platform_session_route' },
      'session_event cannot live with platform_session_route, whose key is of another type.',
    ],
    [
      'as a reference table',
      { kind: 'reference' },
      'session_event_session_key_fkey of session_event leads from every node to one.',
    ],
  ])('a table placed %s is an obstacle', (_, placement, sentence) => {
    const obstacles = findObstacles(tables, { ...PLACEMENTS, session_event: placement });
    expect(obstacles).toContain(sentence);
  });

  test('a placement without a table is an obstacle', () => {
    expect(findObstacles(tables, { ...PLACEMENTS, gone: { kind: 'local' } })).toEqual([
      'gone is placed, but there is no such table.',
    ]);
  });
});

describe('the plan', () => {
  const everything = Object.entries(PLACEMENTS).flatMap(([table, placement]): Placed[] => {
    if (placement.kind === 'local') return [];
    const by = placement.kind === 'distributed' ? placement.by : null;
    return [{ table, kind: placement.kind, by }];
  });

  test('of a fresh database places all but the local tables', () => {
    const { steps, conflicts } = planDistribution(PLACEMENTS, []);
    expect(steps.map(({ table }) => table)).toEqual(everything.map(({ table }) => table));
    expect(steps.find(({ table }) => table === 'session_seat')?.sql).toBe(
      `SELECT create_distributed_table('session_seat', 'session_key', colocate_with => 'session')`,
    );
    expect(steps.find(({ table }) => table === 'session')?.sql).toContain(
      `colocate_with => 'none'`,
    );
    expect(conflicts).toEqual([]);
  });

  test('repeated has nothing to do, and after an interruption the rest', () => {
    expect(planDistribution(PLACEMENTS, everything).steps).toEqual([]);
    const [last] = everything.slice(-1);
    const rest = planDistribution(PLACEMENTS, everything.slice(0, -1)).steps;
    expect(rest.map(({ table }) => table)).toEqual([last?.table]);
  });

  test('does not move a table that has another placement', () => {
    const other: Placed = { table: 'session_seat', kind: 'distributed', by: 'player_uuid' };
    const { conflicts, steps } = planDistribution(PLACEMENTS, [other]);
    expect(conflicts).toEqual([
      'session_seat is distributed by player_uuid, and shall be distributed by session_key: undo it with undistribute_table first.',
    ]);
    expect(steps.map(({ table }) => table)).not.toContain('session_seat');
  });
});
