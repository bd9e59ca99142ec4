// Runs pgbench where the machine has one: it is not among the binaries that the service brings along.
import { execFile } from 'node:child_process';
import { access, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { KEYED_POOL_SETTINGS } from '@muster/database';
import { PLATFORM_SESSION_ID_SQL, PLAYER_UUID_SQL } from '../requests/identities.ts';
import { makeScratchFolder, stopSignal } from '../stopping.ts';

const run = promisify(execFile);

/** Debian keeps it beside the server of each release. */
const DEBIAN_FOLDER = '/usr/lib/postgresql';

/** The newest pgbench of this machine, or null. */
export const findPgbench = async (): Promise<string | null> => {
  const releases = await readdir(DEBIAN_FOLDER).catch(() => []);
  const newest = releases.sort((left, right) => Number(right) - Number(left));
  const candidates = newest.map((release) => join(DEBIAN_FOLDER, release, 'bin', 'pgbench'));
  const inPath = (process.env.PATH ?? '').split(':').map((folder) => join(folder, 'pgbench'));
  for (const file of [...candidates, ...inPath]) {
    if (
      await access(file).then(
        () => true,
        () => false,
      )
    )
      return file;
  }
  return null;
};

/** Its connections are opened as the service opens those that it joins through. */
export const PGOPTIONS = Object.entries(KEYED_POOL_SETTINGS)
  .map(([name, value]) => `-c ${name}=${value}`)
  .join(' ');

type PgbenchResult = {
  transactions: number;
  /** Mean of the whole seconds after the first one, in which the connections plan their statements and fill their caches. */
  perSecond: number;
  version: string;
};

export const runPgbench = async (
  program: string,
  url: string,
  plan: PgbenchPlan,
  seconds: number,
): Promise<PgbenchResult> => {
  const folder = makeScratchFolder();
  const runScript = async (text: string, end: readonly string[]): Promise<string> => {
    const script = join(folder.path, 'script.sql');
    await writeFile(script, text);
    const how = ['--no-vacuum', '--protocol=prepared', '--define=n=-1', `--file=${script}`];
    const load = [`--client=${plan.clients}`, '--jobs=2', ...end];
    const env = { ...process.env, PGOPTIONS };
    const { stdout, stderr } = await run(program, [...how, ...load, url], {
      env,
      signal: stopSignal,
    });
    return `${stdout}${stderr}`;
  };
  try {
    // Its clock starts before its clients connect. One second more is left out, and up to one until the next report.
    const connecting = readConnectionSeconds(await runScript('SELECT 1;', ['--transactions=1']));
    const time = Math.ceil(2 * connecting + 2 + seconds);
    const end = [`--time=${time}`, '--progress=1'];
    return readPgbenchOutput(await runScript(writePgbenchScript(plan), end));
  } finally {
    await folder.stop();
  }
};

const readConnectionSeconds = (output: string): number =>
  Number(/initial connection time = ([\d.]+) ms/.exec(output)?.[1] ?? 0) / 1_000;

const WARM_UP_SECONDS = 1;

/** Transactions in each second that began when all connections had worked for a while. */
const readWarmSeconds = (output: string): number[] => {
  const from = readConnectionSeconds(output) + WARM_UP_SECONDS;
  const reports = [...output.matchAll(/^progress: ([\d.]+) s, ([\d.]+) tps/gm)];
  return reports
    .map(([, , tps], at) => ({ start: Number(reports[at - 1]?.[1] ?? 0), tps: Number(tps) }))
    .filter(({ start }) => start >= from)
    .map(({ tps }) => tps);
};

export const readPgbenchOutput = (output: string): PgbenchResult => {
  const transactions = /transactions actually processed: (\d+)/.exec(output)?.[1];
  const warm = readWarmSeconds(output);
  const version = /^pgbench \(([\d.]+)/.exec(output)?.[1] ?? 'unknown';
  if (!transactions || warm.length === 0) throw new Error(`pgbench said: ${output}`);
  const perSecond = warm.reduce((sum, tps) => sum + tps, 0) / warm.length;
  return { transactions: Number(transactions), perSecond, version };
};

// The join as pgbench runs it: the same two steps as a service without batching, and without HTTP, JSON or rules.

type PgbenchPlan = {
  clients: number;
  firstPlayer: number;
  firstSession: number;
  sessions: number;
};

/**
 * Sessions are visited in an order that pgbench shuffles itself: another one than that of the requests, and as well spread.
 * Each client counts its own joins in `n`, which starts at -1, so that no two joins of a round have the same player. A machine that is
 * faster than the plan reaches players of the next round: a seat that is there already is no error. The read finds
 * session, version and fill of the team; the write moves the version, takes the seat and appends the event: one
 * transaction each, since a longer one would cost pgbench two more round trips.
 */
export const writePgbenchScript = ({
  clients,
  firstPlayer,
  firstSession,
  sessions,
}: PgbenchPlan) => {
  const digest = `sha256(convert_to('Steam:' || rtrim(${PLATFORM_SESSION_ID_SQL(':s::int')}, '='), 'UTF8'))`;
  const player = PLAYER_UUID_SQL(':p::int');
  return `\\set n :n + 1
\\set i :client_id + ${clients} * :n
\\set p ${firstPlayer} + :i
\\set s ${firstSession} + permute(:i, ${sessions}, ${firstPlayer})
SELECT r.session_key, s.version, ${player} AS player_uuid, p.player_uuid IS NOT NULL AS known,
  (SELECT count(*) FROM session_seat e WHERE e.session_key = r.session_key AND e.team_id = 0) AS taken
FROM platform_session_route r JOIN session s ON s.session_key = r.session_key
  LEFT JOIN player p ON p.player_uuid = ${player}
WHERE r.digest = ${digest} AND s.ended_at IS NULL \\gset
WITH moved AS (
  UPDATE session SET version = version + 1 WHERE session_key = :session_key::uuid AND version = :version::bigint
  RETURNING session_key, version
), seated AS (
  INSERT INTO session_seat (session_key, player_uuid, team_id, status, seated_at, joined_at, platform, input,
    client_version, permitted_platform, permitted_input, custom_data)
  SELECT session_key, :player_uuid::uuid, 0, 'member', now(), now(), 'Steam', 'gamepad', '1.4.2',
    'desired_platforms_any', 'desired_inputs_any', '{"skin":"crimson","rank":"17","loadout":"scout"}' FROM moved
  ON CONFLICT DO NOTHING
), told AS (
  INSERT INTO session_event (session_key, event_id, occurred_at, kind, session_version, account_id, player_uuid, detail)
  SELECT session_key, gen_random_uuid(), now(), 'player_joined', version, :player_uuid::text, :player_uuid::uuid,
    '{"team_id":0,"status":"member"}' FROM moved
)
SELECT version FROM moved;
`;
};
