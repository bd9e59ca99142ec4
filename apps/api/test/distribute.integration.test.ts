// `npm run muster -- distribute` on a plain PostgreSQL.
import type { TestDatabase } from '@muster/database/testing';
import { createTestDatabase } from '@muster/database/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startProgram } from './service-process.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

describe('npm run muster -- distribute', () => {
  const run = async (url: string | undefined, ...args: string[]) => {
    const program = await startProgram('distribute', url ? { DATABASE_URL: url } : {}, args);
    return { code: await program.ended, out: program.stdout(), err: program.stderr() };
  };

  test('prints its plan on a plain PostgreSQL, and changes nothing', async () => {
    const { code, out } = await run(database.url, '--dry-run');
    expect(code).toBe(0);
    expect(out).toContain('session_seat: by session_key, with session\n');
    expect(out).toContain('player: by player_uuid\n');
    expect(out).toMatch(/\n33 tables would be placed, 6 are where they belong\.\n$/);
  });

  test('refuses a database without Citus in one sentence', async () => {
    const { code, err } = await run(database.url);
    expect(code).toBe(1);
    expect(err).toMatch(/^The database has no extension "citus": .*\n$/);
  });

  test('refuses a database without tables', async () => {
    const empty = await createTestDatabase({ migrated: false });
    const { code, err } = await run(empty.url, '--dry-run');
    expect([code, err]).toEqual([1, expect.stringMatching(/^The database has no tables yet/)]);
    await empty.drop();
  });

  test('prints its usage, and why a database cannot be reached', async () => {
    expect(await run(undefined)).toMatchObject({ code: 2, err: expect.stringMatching(/^usage: /) });
    const help = await run(undefined, '--help');
    expect(help).toMatchObject({ code: 0, out: expect.stringContaining('--dry-run'), err: '' });
    expect((await run(database.url, '--force')).code).toBe(2);
    const unreachable = await run('postgres://127.0.0.1:1/x');
    expect(unreachable).toMatchObject({ code: 1, err: expect.stringContaining('ECONNREFUSED') });
  });
});
