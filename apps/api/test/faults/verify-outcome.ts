// Compares the acknowledged changes with the final state of the database.
import pg from 'pg';
import type { EditRecord } from './edit-load.ts';
import type { JoinRecord } from './join-load.ts';
import type { TestBed } from './test-bed.ts';

export type Outcome = {
  /** 200 responses without a stored seat. */
  lostJoins: number;
  /** Seats of players without a response that allows one. */
  inventedSeats: number;
  /** Sessions with more players than seats, or more than one leader. */
  overfullSessions: number;
  /** Responses with a version that the session never had. */
  unknownVersions: number;
  /** Acknowledged edits that the history lacks or has differently. */
  lostEdits: number;
};

/** The expected outcome of every fault. */
export const NOTHING_LOST: Outcome = {
  lostJoins: 0,
  inventedSeats: 0,
  overfullSessions: 0,
  unknownVersions: 0,
  lostEdits: 0,
};

type SessionRow = { session_id: string; version: number; players: string[]; leaders: number };

export const verifyOutcome = async (
  databaseUrl: string,
  { testBed, joins, edits }: { testBed: TestBed; joins: JoinRecord; edits?: EditRecord },
): Promise<Outcome> => {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<SessionRow>(SESSIONS, [testBed.sessions]);
    return {
      ...verifyJoins(rows, testBed, joins),
      lostEdits: edits ? await countLostEdits(client, edits) : 0,
    };
  } finally {
    await client.end();
  }
};

const SESSIONS = `
  SELECT s.session_id, s.version::int, array_remove(array_agg(p.player_uuid::text), NULL) AS players,
    count(*) FILTER (WHERE p.status = 'leader')::int AS leaders
  FROM session s LEFT JOIN session_seat p ON p.session_key = s.session_key
  WHERE s.session_id = ANY($1::text[]) GROUP BY s.session_key`;

const verifyJoins = (rows: readonly SessionRow[], testBed: TestBed, { joins }: JoinRecord) => {
  const sessions = new Map(rows.map((row) => [row.session_id, row]));
  const seats = new Set(rows.flatMap((row) => row.players.map((p) => `${row.session_id} ${p}`)));
  const seatOf = ({ session, player }: (typeof joins)[number]) => `${session} ${player}`;
  const seated = joins.filter(({ outcome }) => outcome === 'seated');
  const explained = joins.filter(({ outcome, wasInDoubt }) => outcome === 'seated' || wasInDoubt);
  const known = new Set(explained.map(seatOf));
  const isUnknown = ({ session, version = Number.NaN }: (typeof joins)[number]) =>
    !(version >= 1 && version <= (sessions.get(session)?.version ?? 0));
  return {
    lostJoins: seated.filter((join) => !seats.has(seatOf(join))).length,
    inventedSeats: [...seats].filter((seat) => !known.has(seat)).length,
    overfullSessions: rows.filter(
      ({ players, leaders }) => players.length > testBed.seatsPerSession || leaders > 1,
    ).length,
    unknownVersions: seated.filter(isUnknown).length,
  };
};

type VersionRow = { record_id: string; version: number; name: string };

const countLostEdits = async (client: pg.Client, { edits, sandboxId }: EditRecord) => {
  const { rows } = await client.query<VersionRow>(
    `SELECT record_id, version::int, snapshot::json ->> 'name' AS name FROM catalogue_version
     WHERE sandbox_id = $1`,
    [sandboxId],
  );
  const kept = new Set(
    rows.map(({ record_id, version, name }) => `${record_id} ${version} ${name}`),
  );
  return edits.filter(({ itemId, version, name }) => !kept.has(`${itemId} ${version} ${name}`))
    .length;
};
