import type { SessionTypeInput, VersionMatch } from '@muster/contract';
import type { Actor } from '../audit/index.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { SessionTypeRecord, SessionTypeStore } from './session-type-store.ts';

export type SessionTypeService = ReturnType<typeof createSessionTypeService>;

export type SessionTypeView = {
  type: string;
  version_match: VersionMatch;
  default_teams: { team_id: number; max_size: number }[];
  invitation_ttl_seconds?: number;
  reservation_ttl_seconds?: number;
  absent_ttl_seconds?: number;
  ended_retention_seconds?: number;
};

const toView = (record: SessionTypeRecord): SessionTypeView => ({
  type: record.type,
  version_match: record.versionMatch,
  default_teams: record.defaultTeams,
  ...omitNull({
    invitation_ttl_seconds: record.invitationTtlSeconds,
    reservation_ttl_seconds: record.reservationTtlSeconds,
    absent_ttl_seconds: record.absentTtlSeconds,
    ended_retention_seconds: record.endedRetentionSeconds,
  }),
});

const omitNull = <Field extends string>(
  lives: Record<Field, number | null>,
): Partial<Record<Field, number>> =>
  Object.fromEntries(Object.entries(lives).filter(([, seconds]) => seconds !== null)) as Partial<
    Record<Field, number>
  >;

/** The deprecated life of held seats fills in for both of its successors where they are not said. */
const toRecord = (input: SessionTypeInput): SessionTypeRecord => {
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
  };
};

/** Session types: the rules and default teams that sessions of one template share. */
export const createSessionTypeService = (store: SessionTypeStore, now = () => new Date()) => {
  const findType = async (type: string): Promise<SessionTypeView | null> => {
    const record = await store.findType(type);
    return record && toView(record);
  };

  return {
    /** Makes or replaces a type; sessions that exist obey its rules from their next join on. */
    upsertType: async (actor: Actor, input: SessionTypeInput): Promise<SessionTypeView> => {
      const record = toRecord(input);
      await store.upsertType(actor, record, now());
      return toView(record);
    },
    findType,
    /** Errors: `session_type_not_found`. */
    getType: async (type: string): Promise<SessionTypeView> => {
      const view = await findType(type);
      if (!view) throw new ServiceError('session_type_not_found');
      return view;
    },
    listTypes: async (): Promise<SessionTypeView[]> => (await store.listTypes()).map(toView),
  };
};
