// From "Join" on the screen to a seat, or to the next step for the player.
import type { JoinByPlatformSessionRequest, Joined, MusterClient } from '@muster/client';
import { isServiceError, MusterError } from '@muster/client';
import type { NextStep } from './choose-next-step.ts';
import { chooseNextStep } from './choose-next-step.ts';
import type { Host } from './read-host.ts';
import { readHost } from './read-host.ts';

export type Seat = {
  /** The request to repeat in order to get the same seat again. */
  request: JoinByPlatformSessionRequest;
  etag: string | null;
  /** Leaders see the controls of the session. */
  isLeader: boolean;
  host: Host;
};

export type JoinOutcome = { seat: Seat } | { next: NextStep };

/**
 * Joins the team that the request names, or the first of `otherTeams` with room. A refusal, or a service that cannot be
 * reached, is an outcome; only what the game itself did wrong is thrown.
 */
export const joinGame = async (
  muster: MusterClient,
  request: JoinByPlatformSessionRequest,
  otherTeams: readonly number[] = [],
): Promise<JoinOutcome> => {
  try {
    return { seat: takeSeat(request, await muster.joinByPlatformSession(request)) };
  } catch (error) {
    const [team_id, ...rest] = otherTeams;
    if (team_id !== undefined && isServiceError(error, 'team_full')) {
      return joinGame(muster, { ...request, body: { ...request.body, team_id } }, rest);
    }
    if (!(error instanceof MusterError)) throw error;
    return { next: chooseNextStep(error) };
  }
};

/**
 * After a crash, or after the connection to the host was lost: repeating the join returns the same seat. The returned
 * object is the given one when the session has not changed.
 */
export const rejoinGame = async (muster: MusterClient, seat: Seat): Promise<JoinOutcome> => {
  const outcome = await joinGame(muster, seat.request);
  const isUnchanged = 'seat' in outcome && seat.etag !== null && outcome.seat.etag === seat.etag;
  return isUnchanged ? { seat } : outcome;
};

const takeSeat = (
  request: JoinByPlatformSessionRequest,
  { session, etag }: Pick<Joined, 'session' | 'etag'>,
): Seat => {
  const players = session.teams.flatMap((team) => team.players);
  // The service writes UUIDs in lower case, whatever the game has sent.
  const uuid = request.player_uuid.toLowerCase();
  const own = players.find(({ player_uuid }) => player_uuid === uuid);
  return { request, etag, isLeader: own?.status === 'leader', host: readHost(session) };
};
