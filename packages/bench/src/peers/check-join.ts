// The same rules as the service's for what the benchmark sends, written the usual way.
import type { JoinRequest } from '@muster/contract';
import { parseSemver } from '@muster/contract';
import type { LoadedSession } from './loaded-session.ts';

export class JoinRefusedError extends Error {
  override readonly name = 'JoinRefusedError';
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string) {
    super(code);
    this.status = status;
    this.code = code;
  }
}

type Instance = { join_status?: string; version?: string } | null;

const PERMITTED: Record<string, string> = {
  desired_platforms_xboxlike: 'XboxLive',
  desired_platforms_playstationlike: 'PSN',
  desired_inputs_keyboardandmouse: 'keyboardandmouse',
  desired_inputs_gamepad: 'gamepad',
  desired_inputs_touch: 'touch',
};

const permits = (preference: string | null | undefined, value: string | null | undefined) =>
  !preference || PERMITTED[preference] === undefined || PERMITTED[preference] === value;

/** Throws JoinRefusedError. Answers whether the player is seated already. */
export const checkJoin = (session: LoadedSession, playerUuid: string, request: JoinRequest) => {
  const team = session.teams.find(({ teamId }) => Number(teamId) === request.team_id);
  if (!team) throw new JoinRefusedError(422, 'team_not_found');
  const seats = session.teams.flatMap((each) => each.seats);
  const seated = seats.some((seat) => seat.playerUuid === playerUuid);
  const instance = session.instance as Instance;
  if (!seated) checkDoors(session, instance);
  checkVersion(instance?.version, request.client_version);
  for (const seat of seats) if (seat.playerUuid !== playerUuid) checkCrossplay(seat, request);
  if (!seated && team.seats.length >= team.maxSize) {
    const isFull = session.teams.every((each) => each.seats.length >= each.maxSize);
    throw new JoinRefusedError(409, isFull ? 'session_full' : 'team_full');
  }
  return { seated, isFirst: !seats.some((seat) => seat.status === 'leader') };
};

const checkDoors = (session: LoadedSession, instance: Instance): void => {
  if (instance?.join_status === 'closed') throw new JoinRefusedError(409, 'instance_closed');
  if (instance?.join_status === 'unjoinable')
    throw new JoinRefusedError(409, 'instance_unjoinable');
  if (!session.joinable) throw new JoinRefusedError(403, 'session_not_joinable');
};

const checkVersion = (instanceVersion: string | undefined, clientVersion: string): void => {
  if (instanceVersion === undefined) return;
  const [instance, client] = [parseSemver(instanceVersion), parseSemver(clientVersion)];
  const parts = ['major', 'minor', 'patch'] as const;
  if (!parts.every((part) => instance?.[part] === client?.[part])) {
    throw new JoinRefusedError(403, 'version_incompatible');
  }
};

const checkCrossplay = (
  seat: LoadedSession['teams'][number]['seats'][number],
  { client_settings: settings, crossplay_preferences: preferences }: JoinRequest,
): void => {
  const compatible =
    permits(preferences?.permitted_platform, seat.platform) &&
    permits(preferences?.permitted_input, seat.input) &&
    permits(seat.permittedPlatform, settings.platform) &&
    permits(seat.permittedInput, settings.input);
  if (!compatible) throw new JoinRefusedError(403, 'crossplay_incompatible');
};
