// Session types: the rules and default teams of sessions of the same type.
import { isDeepStrictEqual } from 'node:util';
import type { SessionTypeInput } from '@muster/contract';
import type { Database, Prisma } from '@muster/database';
import type { Actor } from '../platform/index.ts';
import { appendAudit, ServiceError } from '../platform/index.ts';

export type SessionTypeService = ReturnType<typeof createSessionTypeService>;

export const createSessionTypeService = (
  { prisma }: Pick<Database, 'prisma'>,
  now = () => new Date(),
) => {
  const findType = async (type: string) => {
    const row = await prisma.sessionType.findUnique({ where: { type } });
    return row && toView(toRecord(row));
  };

  return {
    /** Creates or replaces a type; its rules apply to existing sessions from their next join. */
    upsertType: async (actor: Actor, input: SessionTypeInput) => {
      const record = readInput(input);
      const { type, ...rules } = record;
      const at = now();
      await prisma.$transaction(async (transaction) => {
        // One edit at a time: edits are rare, and reads are not blocked. Prisma cannot express the lock.
        await transaction.$executeRaw`LOCK TABLE session_type IN SHARE ROW EXCLUSIVE MODE`;
        const current = await transaction.sessionType.findUnique({ where: { type } });
        if (current && isDeepStrictEqual(toRecord(current), record)) return;
        const data = { ...rules, updatedAt: laterOf(at, current?.updatedAt) };
        await transaction.sessionType.upsert({
          where: { type },
          create: { type, ...data },
          update: data,
        });
        const entry = { action: 'sessionTypes.upsert', target: { type }, after: { ...rules } };
        await appendAudit(transaction, actor, entry, at);
      });
      return toView(record);
    },

    /**
     * Ended sessions of the type are kept, and later ones have no rules of the type. Errors: `session_type_not_found`,
     * `session_type_in_use`.
     */
    deleteType: async (actor: Actor, { type }: { type: string }): Promise<void> => {
      await prisma.$transaction(async (transaction) => {
        await transaction.$executeRaw`LOCK TABLE session_type IN SHARE ROW EXCLUSIVE MODE`;
        const current = await transaction.sessionType.findUnique({ where: { type } });
        if (!current) throw new ServiceError('session_type_not_found');
        const live = await transaction.session.findFirst({
          where: { type, endedAt: null },
          select: { sessionKey: true },
        });
        if (live) throw new ServiceError('session_type_in_use');
        await transaction.sessionType.delete({ where: { type } });
        const { type: _, ...before } = toRecord(current);
        const entry = { action: 'sessionTypes.delete', target: { type }, before };
        await appendAudit(transaction, actor, entry, now());
      });
    },

    findType,

    /** Errors: `session_type_not_found`. */
    getType: async (type: string) => {
      const view = await findType(type);
      if (!view) throw new ServiceError('session_type_not_found');
      return view;
    },

    /**
     * The types by name, the first thousand or two megabytes. People write them as templates, so there are tens and not
     * thousands.
     */
    listTypes: async () => {
      const [found] = await prisma.$queryRawUnsafe<{ fitting: number }[]>(COUNT_LISTED);
      const rows = await prisma.sessionType.findMany({
        orderBy: { type: 'asc' },
        take: Math.min(MAX_LISTED, (found?.fitting ?? 0) + 1),
      });
      return rows.map((row) => toView(toRecord(row)));
    },
  };
};

const MAX_LISTED = 1_000;
const LISTED_BYTES = 2 * 1_048_576;

/** The number of types that fit into the list, as JSON. Prisma cannot compute running sums. */
const COUNT_LISTED = `
  SELECT count(*)::int AS fitting
  FROM (
    SELECT sum(octet_length(to_json(type)::text) + octet_length(default_teams::text) + 250)
      OVER (ORDER BY type ROWS UNBOUNDED PRECEDING) AS bytes
    FROM (SELECT * FROM session_type ORDER BY type LIMIT ${MAX_LISTED}) listed
  ) added
  WHERE bytes < ${LISTED_BYTES}`;

/** Joins identify rules by the time of their change, so no two changes of a type have the same time. */
const laterOf = (now: Date, last: Date | undefined): Date =>
  last && last >= now ? new Date(last.getTime() + 1) : now;

/** The stored form. Times to live are in seconds; null: for ever. */
type SessionTypeRecord = ReturnType<typeof readInput>;

/** The deprecated TTL of held seats applies to invitations and reservations without their own. */
const readInput = (input: SessionTypeInput) => {
  const { held_seat_ttl_seconds: heldTtl } = input;
  const { invitation_ttl_seconds: invitationTtl = heldTtl } = input;
  const { reservation_ttl_seconds: reservationTtl = heldTtl } = input;
  return {
    type: input.type,
    versionMatch: input.version_match,
    defaultTeams: input.default_teams,
    invitationTtlSeconds: invitationTtl ?? null,
    reservationTtlSeconds: reservationTtl ?? null,
    absentTtlSeconds: input.absent_ttl_seconds ?? null,
    endedRetentionSeconds: input.ended_retention_seconds ?? null,
    idleTtlSeconds: input.idle_ttl_seconds ?? null,
    maxAgeSeconds: input.max_age_seconds ?? null,
  };
};

/** The columns contain what the contract's schema accepted; a CHECK protects the enumeration. */
const toRecord = ({ updatedAt: _, ...row }: Prisma.SessionTypeGetPayload<object>) =>
  row as SessionTypeRecord;

/** The given form, without absent and deprecated members. */
const toView = (record: SessionTypeRecord) => ({
  type: record.type,
  version_match: record.versionMatch,
  default_teams: record.defaultTeams,
  invitation_ttl_seconds: record.invitationTtlSeconds ?? undefined,
  reservation_ttl_seconds: record.reservationTtlSeconds ?? undefined,
  absent_ttl_seconds: record.absentTtlSeconds ?? undefined,
  ended_retention_seconds: record.endedRetentionSeconds ?? undefined,
  idle_ttl_seconds: record.idleTtlSeconds ?? undefined,
  max_age_seconds: record.maxAgeSeconds ?? undefined,
});
