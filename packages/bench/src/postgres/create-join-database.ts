import type { SessionBlock } from './join-data.ts';
import { insertOwner, insertPlayers, insertSessions, insertSessionType } from './join-data.ts';
import type { BenchPostgres } from './start-postgres.ts';

export type JoinData = {
  /** How many players are registered. */
  players: number;
  sessions: readonly SessionBlock[];
};

/** A migrated database with players and sessions to join, whose statistics PostgreSQL knows. */
export const createJoinDatabase = async (
  postgres: BenchPostgres,
  name: string,
  { players, sessions }: JoinData,
): Promise<void> => {
  await postgres.createDatabase(name);
  await postgres.migrate(name);
  await insertOwner(postgres, name);
  await insertSessionType(postgres, name);
  await insertPlayers(postgres, name, players);
  for (const block of sessions) await insertSessions(postgres, name, block);
  await postgres.run(name, 'VACUUM ANALYZE');
};
