// What the joins of one database have left behind, put into a copy of what that one was made of: seats, events and versions, as they were written.
import type { SessionBlock } from './join-data.ts';
import { SESSION_KEYS } from './join-data.ts';
import type { BenchPostgres } from './start-postgres.ts';

/** $1 and $2 are the first and the last number of the sessions. Text, since numbers of 64 bits must not become ours. */
const READ = (table: string): string =>
  `SELECT json_agg(r)::text AS rows FROM ${table} r WHERE r.session_key IN (${SESSION_KEYS})`;

const INSERT = (table: string): string =>
  `INSERT INTO ${table} SELECT * FROM json_populate_recordset(NULL::${table}, $1::json)`;

const MOVE_VERSIONS = `
  UPDATE session s SET version = r.version FROM json_populate_recordset(NULL::session, $1::json) r
  WHERE s.session_key = r.session_key AND s.version <> r.version`;

const STEPS = [
  { table: 'session', write: MOVE_VERSIONS },
  { table: 'session_seat', write: INSERT('session_seat') },
  { table: 'session_event', write: INSERT('session_event') },
];

export const copyJoins = async (
  postgres: BenchPostgres,
  { from, to, block }: { from: string; to: string; block: SessionBlock },
): Promise<void> => {
  for (const { table, write } of STEPS) {
    const range = [block.first, block.first + block.count - 1];
    const [row] = await postgres.run(from, READ(table), range);
    await postgres.run(to, write, [row?.rows ?? '[]']);
  }
};
