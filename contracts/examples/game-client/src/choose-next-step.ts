// What the game does when a player did not get a seat: one step for every way in which that happens.
import type { ErrorCode, MusterError } from '@muster/client';
import { ServiceError } from '@muster/client';

export type Step =
  | 'wait-in-queue'
  | 'return-to-browser'
  | 'refresh-list'
  | 'ask-for-invitation'
  | 'update-game'
  | 'open-crossplay-settings'
  | 'sign-in'
  | 'try-later'
  | 'report-problem';

export type NextStep = {
  step: Step;
  /** The service asks for at least this pause before the next attempt. */
  waitSeconds: number;
  /** What the player quotes to support: it names the request in the logs of the service. */
  requestId: string | null;
};

const STEPS: Partial<Record<ErrorCode, Step>> = {
  // Only after every team was tried: a place may become free, and other teams of this session have room.
  team_full: 'wait-in-queue',
  instance_unjoinable: 'wait-in-queue',
  // The session may get a new instance.
  instance_closed: 'wait-in-queue',
  session_full: 'return-to-browser',
  platform_session_not_found: 'refresh-list',
  session_not_joinable: 'ask-for-invitation',
  version_incompatible: 'update-game',
  crossplay_incompatible: 'open-crossplay-settings',
  // The token is in order, but it is not this player's.
  insufficient_permissions: 'sign-in',
  player_not_found: 'sign-in',
};

/** A newer service may send codes that the game does not know: the status still gives their kind. */
const STEPS_BY_STATUS = new Map<number | undefined, Step>([
  [404, 'refresh-list'],
  [409, 'try-later'],
  [429, 'try-later'],
  [502, 'try-later'],
  [503, 'try-later'],
  [504, 'try-later'],
]);

export const chooseNextStep = (error: MusterError): NextStep => ({
  step: chooseStep(error),
  waitSeconds: error.retryAfterSeconds ?? 0,
  requestId: error.requestId,
});

const chooseStep = (error: MusterError): Step => {
  if (error.kind === 'network' || error.kind === 'timeout') return 'try-later';
  if (error.kind === 'token') return 'sign-in';
  if (error instanceof ServiceError) {
    // Comes here only after the client has signed in anew, and was refused again.
    if (!error.authSuccess) return 'sign-in';
    const step = (STEPS as Record<string, Step | undefined>)[error.code];
    if (step) return step;
  }
  return STEPS_BY_STATUS.get(error.status) ?? 'report-problem';
};
