import { isDeepStrictEqual } from 'node:util';
import type { VersionMatch } from '@muster/contract';
import type { Database } from '@muster/database';
import type { Actor } from '../audit/index.ts';
import { appendAudit } from '../audit/index.ts';

export type SessionTypeRecord = {
  type: string;
  versionMatch: VersionMatch;
  defaultTeams: { team_id: number; max_size: number }[];
} & SessionTypeLives;

/** Seconds; null: for ever. */
export type SessionTypeLives = {
  invitationTtlSeconds: number | null;
  reservationTtlSeconds: number | null;
  absentTtlSeconds: number | null;
  endedRetentionSeconds: number | null;
};

type Row = { type: string; versionMatch: string; defaultTeams: unknown } & SessionTypeLives;

/** The columns hold what the contract's schema let in; a CHECK keeps the enumeration. */
const toRecord = (row: Row): SessionTypeRecord => ({
  type: row.type,
  versionMatch: row.versionMatch as VersionMatch,
  defaultTeams: row.defaultTeams as SessionTypeRecord['defaultTeams'],
  invitationTtlSeconds: row.invitationTtlSeconds,
  reservationTtlSeconds: row.reservationTtlSeconds,
  absentTtlSeconds: row.absentTtlSeconds,
  endedRetentionSeconds: row.endedRetentionSeconds,
});

/** Joins tell rules apart by when they were changed: no two changes of a type have the same moment. */
const laterOf = (now: Date, last: Date | undefined): Date =>
  last && last >= now ? new Date(last.getTime() + 1) : now;

export type SessionTypeStore = ReturnType<typeof createSessionTypeStore>;

export const createSessionTypeStore = ({ prisma }: Database) => ({
  upsertType: async (actor: Actor, record: SessionTypeRecord, now: Date): Promise<void> => {
    const { type, ...rules } = record;
    await prisma.$transaction(async (transaction) => {
      // One edit after the other: they are rare, and what reads types goes on.
      await transaction.$executeRaw`LOCK TABLE session_type IN SHARE ROW EXCLUSIVE MODE`;
      const current = await transaction.sessionType.findUnique({ where: { type } });
      if (current && isDeepStrictEqual(toRecord(current), record)) return;
      const data = { ...rules, updatedAt: laterOf(now, current?.updatedAt) };
      await transaction.sessionType.upsert({
        where: { type },
        create: { type, ...data },
        update: data,
      });
      const entry = { action: 'sessionTypes.upsert', target: { type }, after: { ...rules } };
      await appendAudit(transaction, actor, entry, now);
    });
  },

  findType: async (type: string): Promise<SessionTypeRecord | null> => {
    const row = await prisma.sessionType.findUnique({ where: { type } });
    return row && toRecord(row);
  },

  /** All types by name: they are templates that people write, tens and not thousands. */
  listTypes: async (): Promise<SessionTypeRecord[]> =>
    (await prisma.sessionType.findMany({ orderBy: { type: 'asc' } })).map(toRecord),
});
