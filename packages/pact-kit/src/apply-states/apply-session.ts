// Makes the session of a state: its type, its teams, who sits in them, its host, its condition.
import { randomUUID } from 'node:crypto';
import type { SessionStateParameters } from '../provider-states/resolve-state.ts';
import type { Aliases } from './aliases.ts';
import type { ServiceClient } from './service-client.ts';

type Seat = SessionStateParameters['seats'][number];

const DEFAULT_CLIENT_VERSION = '1.4.2';
const HELD = ['invited', 'reserved'];
const JOINS_AT_ONCE = 16;

/**
 * Seats are taken while the session is open, and only then does it become what the state says: full, closed,
 * not joinable.
 */
export const applySession = async (
  parameters: SessionStateParameters,
  context: StateContext,
): Promise<void> => {
  const { aliases, service } = context;
  const name = {
    type: aliases.name(parameters.type),
    session_id: aliases.name(parameters.session_id),
  };
  await service.change('sessionTypes.upsert', {
    type: name.type,
    version_match: parameters.version_match,
  });
  await service.change('sessions.create', { ...name, ...describeSession(parameters, context) });
  context.sessions.push(name);
  await seatPlayers(parameters, name, context);
  const { instance, joinable } = parameters;
  if (instance) await service.change('sessions.setInstance', { ...name, instance });
  if (!joinable) await service.change('sessions.update', { ...name, joinable });
};

const describeSession = (parameters: SessionStateParameters, { aliases }: StateContext) => {
  const {
    platform,
    platform_session_type,
    platform_session_id_base64: id,
    teams,
    type: _type,
    session_id: _sessionId,
    joinable: _joinable,
    version_match: _versionMatch,
    seats: _seats,
    instance: _instance,
    ...details
  } = parameters;
  const platform_session_id_base64 = aliases.platformSessionId(id);
  return {
    ...details,
    teams: teams.map(({ players: _players, ...team }) => team),
    platform_session: [{ platform, platform_session_type, platform_session_id_base64 }],
  };
};

type SessionName = { type: string; session_id: string };

const seatPlayers = async (
  parameters: SessionStateParameters,
  name: SessionName,
  context: StateContext,
): Promise<void> => {
  for (const seat of parameters.seats) await takeSeat(seat, parameters, name, context);
  const others = parameters.teams.flatMap(({ players, team_id }, index) =>
    Array.from({ length: players }, () => ({
      player_uuid: randomUUID(),
      team_id: team_id ?? index,
      status: 'member' as const,
      client_settings: { platform: parameters.platform, input: 'gamepad' as const },
    })),
  );
  // The first one leads; the others may come in any order.
  const [first, ...rest] = others;
  if (first) await takeSeat(first, parameters, name, context);
  while (rest.length > 0) {
    const group = rest.splice(0, JOINS_AT_ONCE);
    await Promise.all(group.map((seat) => takeSeat(seat, parameters, name, context)));
  }
};

const takeSeat = async (
  seat: Seat,
  parameters: SessionStateParameters,
  name: SessionName,
  { aliases, service }: StateContext,
): Promise<void> => {
  const player_uuid = aliases.uuid(seat.player_uuid);
  const player_id = seat.player_id === undefined ? undefined : aliases.playerId(seat.player_id);
  await service.change('players.register', { player_uuid, player_id });
  const isInvited = (seat.inviting_player_uuid ?? seat.source_session_id) !== undefined;
  if (isHeld(seat) || isInvited) {
    await service.change('sessions.invitePlayer', {
      ...name,
      player_uuid,
      team_id: seat.team_id,
      status: isHeld(seat) ? seat.status : 'invited',
      inviting_player_uuid: seat.inviting_player_uuid && aliases.uuid(seat.inviting_player_uuid),
      source_session_id: seat.source_session_id,
    });
  }
  if (isHeld(seat)) return;
  await service.join({
    platform: parameters.platform,
    platformSessionId: aliases.platformSessionId(parameters.platform_session_id_base64),
    playerUuid: player_uuid,
    body: {
      status: seat.status,
      team_id: seat.team_id,
      client_version: seat.client_version ?? parameters.instance?.version ?? DEFAULT_CLIENT_VERSION,
      client_settings: seat.client_settings,
      crossplay_preferences: seat.crossplay_preferences,
      custom_data: seat.custom_data,
    },
  });
};

const isHeld = ({ status }: Seat): boolean => HELD.includes(status);

/** What the states of one interaction share. */
export type StateContext = {
  aliases: Aliases;
  service: ServiceClient;
  /** Sandboxes that were made for the interaction, under the ids that the service knows. */
  sandboxes: Set<string>;
  /** Sessions that were made for it, to be ended after it. */
  sessions: { type: string; session_id: string }[];
};
