// The session for an invited player, or one with a reserved seat: without connection data, since reading must not bypass
// the rules of joining, and without custom data of other players.
import type { Instance, Session } from '@muster/contract';
import type { SessionState } from './session.ts';
import { etagOf, toSessionResource } from './session-resource.ts';

/** Another representation of the session, so it has another strong validator (RFC 9110 section 8.8.1). */
export const heldEtagOf = (session: SessionState): string =>
  etagOf(session).replace(/"$/, '-held"');

export const toHeldView = (session: SessionState, playerUuid: string): Session => {
  const resource = toSessionResource(session);
  return {
    ...resource,
    instance: resource.instance && withoutConnection(resource.instance),
    teams: resource.teams.map((team) => ({
      ...team,
      players: team.players.map(({ custom_data, ...player }) =>
        player.player_uuid === playerUuid ? { ...player, custom_data } : player,
      ),
    })),
    platform_session: resource.platform_session.map(({ custom_data: _, ...child }) => child),
  };
};

/** Custom data of an instance may hold an address, and startup parameters a password. */
const withoutConnection = ({
  join_params: _params,
  instance_startup_params: _startup,
  host_dedicated_process_id: _process,
  host_dedicated_server_id: _server,
  custom_data: _data,
  ...instance
}: Instance): Instance => instance;
