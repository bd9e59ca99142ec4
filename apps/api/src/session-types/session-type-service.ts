import type { SessionTypeInput, VersionMatch } from '@muster/contract';
import type { Actor } from '../audit/index.ts';
import type { SessionTypeRecord, SessionTypeStore } from './session-type-store.ts';

export type SessionTypeService = ReturnType<typeof createSessionTypeService>;

export type SessionTypeView = {
  type: string;
  version_match: VersionMatch;
  default_teams: { team_id: number; max_size: number }[];
  held_seat_ttl_seconds?: number;
};

const toView = (record: SessionTypeRecord): SessionTypeView => ({
  type: record.type,
  version_match: record.versionMatch,
  default_teams: record.defaultTeams,
  ...(record.heldSeatTtlSeconds !== null && { held_seat_ttl_seconds: record.heldSeatTtlSeconds }),
});

/** Session types: the rules and default teams that sessions of one template share. */
export const createSessionTypeService = (store: SessionTypeStore, now = () => new Date()) => {
  return {
    /** Makes or replaces a type; sessions that exist obey its rules from their next join on. */
    upsertType: async (actor: Actor, input: SessionTypeInput): Promise<SessionTypeView> => {
      const record: SessionTypeRecord = {
        type: input.type,
        versionMatch: input.version_match,
        defaultTeams: input.default_teams,
        heldSeatTtlSeconds: input.held_seat_ttl_seconds ?? null,
      };
      await store.upsertType(actor, record, now());
      return toView(record);
    },
    findType: async (type: string): Promise<SessionTypeView | null> => {
      const record = await store.findType(type);
      return record && toView(record);
    },
    listTypes: async (): Promise<SessionTypeView[]> => (await store.listTypes()).map(toView),
  };
};
