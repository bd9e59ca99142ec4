// Loads the demo into an empty database: once, whole or not at all, whoever else is starting.
import type { Database } from '@muster/database';
import { createDemoSandboxes } from './demo-catalogue.ts';
import { insertDemoSandbox } from './demo-catalogue-store.ts';
import { createDemoPlayers } from './demo-players.ts';
import { DEMO_SESSION_TYPES } from './demo-session-plans.ts';
import { createDemoSessions } from './demo-sessions.ts';
import { insertDemoPlayers, insertDemoSessions } from './demo-sessions-store.ts';
import type { DemoTransaction } from './demo-transaction.ts';

type LoadDemoOptions = {
  /** The demo's year ends the day before this moment; the present by default. */
  now?: () => Date;
  /** Hears, in a sentence, that loading has begun; silent when there is nothing to load. */
  onProgress?: (message: string) => void;
};

/** Held by whoever loads until the transaction ends; any number that no other lock of ours uses. */
const DEMO_LOCK = '206015370418273';

/** Waiting for another process that loads may take longer than a statement of the pool is given. */
const BEGIN = `BEGIN; SET LOCAL statement_timeout = '60s'`;

const IS_EMPTY = `
  SELECT NOT (EXISTS (SELECT FROM sandbox) OR EXISTS (SELECT FROM session)
    OR EXISTS (SELECT FROM player) OR EXISTS (SELECT FROM session_type)) AS "isEmpty"`;

/** True when it loaded; false, and nothing is touched, when there is any sandbox, session, type or player. */
export const loadDemoData = async (
  { pool }: Pick<Database, 'pool'>,
  { now = () => new Date(), onProgress }: LoadDemoOptions = {},
): Promise<boolean> => {
  const client = await pool.connect();
  let failure: unknown;
  try {
    if (!(await isEmpty(client))) return false;
    await client.query(BEGIN);
    await client.query(`SELECT pg_advisory_xact_lock(${DEMO_LOCK})`);
    // Asked again, in a statement of its own: whoever held the lock may have loaded meanwhile.
    const loads = await isEmpty(client);
    if (loads) {
      onProgress?.('Loading demo data');
      await insertDemo(client, now());
    }
    await client.query('COMMIT');
    return loads;
  } catch (error) {
    failure = error;
    throw error;
  } finally {
    // A connection with an open transaction is closed instead of kept, which undoes the transaction.
    client.release(failure !== undefined);
  }
};

const isEmpty = async (client: DemoTransaction): Promise<boolean> => {
  const { rows } = (await client.query(IS_EMPTY)) as { rows: { isEmpty: boolean }[] };
  return rows[0]?.isEmpty === true;
};

/** Makes the next part up while PostgreSQL still works on the one before. */
const insertDemo = async (transaction: DemoTransaction, now: Date): Promise<void> => {
  const players = createDemoPlayers(now);
  await insertDemoPlayers(transaction, players);
  await insertDemoSessions(transaction, DEMO_SESSION_TYPES, createDemoSessions(players, now));
  let sent: Promise<unknown> = Promise.resolve();
  for (const sandbox of createDemoSandboxes(now)) {
    await sent;
    sent = insertDemoSandbox(transaction, sandbox);
  }
  await sent;
};
