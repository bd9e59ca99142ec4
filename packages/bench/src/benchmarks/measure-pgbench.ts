// The joins of pgbench: what PostgreSQL does when nothing stands before it.
import { settle } from '../machine/settle.ts';
import { countSeats } from '../postgres/join-data.ts';
import { findPgbench, runPgbench } from '../postgres/run-pgbench.ts';
import type { BenchContext } from './bench-context.ts';
import type { JoinBlock } from './join-blocks.ts';
import { databaseOf } from './join-variants.ts';

/** Of its transactions, at least so many take a seat: 64 clients pick among 500 sessions or more. */
const PGBENCH_MEETS_ITSELF = 0.8;

export const measurePgbench = async (context: BenchContext, block: JoinBlock): Promise<void> => {
  const { plan, postgres, results } = context;
  const where = { benchmark: 'join/distinct', variant: 'pgbench' };
  const program = await findPgbench();
  if (!program) {
    results.note(
      'pgbench is left out: this machine has none (on Debian: apt install postgresql-contrib).',
    );
    return;
  }
  const database = databaseOf('pgbench');
  const joins = {
    clients: plan.connections,
    firstPlayer: block.firstPlayer,
    firstSession: block.sessions.first,
    sessions: block.sessions.count,
  };
  const countTaken = async () => (await countSeats(postgres, database, block.sessions)).seats;
  const before = await countTaken();
  await settle();
  const { transactions, perSecond, version } = await runPgbench(
    program,
    postgres.urlOf(database),
    joins,
    plan.roundSeconds,
  );
  results.report.versions.pgbench = version;
  // Where two of its clients meet in a session, the later one moves no version: a transaction, and no join.
  const kept = (await countTaken()) - before;
  results.add(where, 'rate', 'per second', (perSecond * kept) / transactions);
  const isPlausible = kept <= transactions && kept >= transactions * PGBENCH_MEETS_ITSELF;
  results.check(where, 'nearly every transaction takes a seat', isPlausible);
};
