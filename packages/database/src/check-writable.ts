// Whether a database takes the writes of the service. A standby, a read-only database and one that denies the role its rights
// answer every question, so that a query that succeeds does not show it.
import type pg from 'pg';
import type { RunOptions } from './run-prepared.ts';
import { runPrepared } from './run-prepared.ts';

/** The database answers and refuses writes. The message is the reason, as a part of a sentence. */
class UnwritableError extends Error {
  override name = 'UnwritableError';
  /** The SQLSTATE that a write would fail with. */
  readonly code: '25006' | '42501';

  constructor(code: UnwritableError['code'], message: string) {
    super(message);
    this.code = code;
  }
}

/** What a join needs. Rights on other tables show in the requests that need them. */
const RIGHTS_OF_JOINS: Readonly<Record<string, string>> = {
  session: 'SELECT UPDATE',
  session_seat: 'SELECT INSERT UPDATE',
  session_event: 'INSERT',
  event_outbox: 'INSERT',
  session_team: 'SELECT',
  session_platform_session: 'SELECT',
  session_type: 'SELECT',
  platform_session_route: 'SELECT',
  player: 'SELECT INSERT',
  player_legacy_id: 'SELECT',
};

const RIGHTS = Object.entries(RIGHTS_OF_JOINS).flatMap(([table, rights]) =>
  rights.split(' ').map((right) => `('${table}', '${right}')`),
);

/** A table that is not there yet lacks no right: the database may not be migrated. */
const CHECK_WRITABLE = {
  name: 'ping',
  text: `
    SELECT pg_is_in_recovery() AS in_recovery, current_setting('transaction_read_only')::bool AS read_only,
      current_user AS role, (SELECT string_agg(format('%s on %s', needed.right, needed.name), ', ')
        FROM (VALUES ${RIGHTS.join(', ')}) AS needed(name, "right")
        WHERE NOT has_table_privilege(to_regclass(needed.name), needed.right)) AS missing_rights`,
};

const READ_ONLY = 'the database is read-only, since transaction_read_only is on';
const STANDBY = 'the database is read-only, since it is a standby';

type Row = {
  role: string;
  in_recovery: boolean;
  read_only: boolean;
  missing_rights: string | null;
};

/** Throws UnwritableError, or what the connection or the statement fails with. */
export async function checkWritable(
  target: pg.Pool | pg.ClientBase,
  options?: RunOptions,
): Promise<void> {
  const [row] = await runPrepared<Row>(target, CHECK_WRITABLE, [], options);
  if (!row) return;
  const { role, in_recovery: isStandby, read_only: isReadOnly, missing_rights: missing } = row;
  if (isStandby) throw new UnwritableError('25006', STANDBY);
  if (isReadOnly) throw new UnwritableError('25006', READ_ONLY);
  if (missing) throw new UnwritableError('42501', `the role ${role} lacks ${missing}`);
}
