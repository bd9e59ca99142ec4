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

export type SessionTypeStore = ReturnType<typeof createSessionTypeStore>;

export const createSessionTypeStore = ({ prisma }: Database) => ({
  upsertType: async (actor: Actor, record: SessionTypeRecord, now: Date): Promise<void> => {
    const { type, ...rules } = record;
    const data = { ...rules, updatedAt: now };
    await prisma.$transaction(async (transaction) => {
      const current = await transaction.sessionType.findUnique({ where: { type } });
      if (current && isDeepStrictEqual(toRecord(current), record)) return;
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
