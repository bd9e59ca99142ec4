// The join: finds the session of the platform session, decides by the rules, writes once, answers what
// was written.
import { JOIN_FOR_ANY, JOIN_FOR_SELF, permits } from '@muster/contract';
import type { Caller } from '../auth/index.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { DatabaseWatch } from '../outage/index.ts';
import { unguarded } from '../outage/index.ts';
import type { PlayerStore } from '../players/index.ts';
import type { SessionQueue, SessionState, SessionStore } from '../sessions/index.ts';
import { platformSessionDigest } from '../sessions/index.ts';
import type { JoinInput } from './join-attempt.ts';
import { JoinAttempt } from './join-attempt.ts';
import { identify, JoiningPlayer } from './joining-player.ts';
import type { ObserveCache } from './platform-session-routes.ts';
import { createPlatformSessionRoutes } from './platform-session-routes.ts';
import type { RefusalRecorder } from './refusal-recorder.ts';

export type JoinServiceOptions = {
  sessions: Pick<SessionStore, 'findKeyByPlatformSession'>;
  queue: Pick<SessionQueue, 'change'>;
  players: Pick<PlayerStore, 'findPlayer' | 'findHolder' | 'registerUuid'>;
  refusals: Pick<RefusalRecorder, 'record'>;
  /** Ends the wait for a database that is away; without it, each join waits for its own deadlines. */
  guard?: DatabaseWatch['guard'];
  /** Watches which sessions of platform sessions are remembered. */
  observeCache?: ObserveCache;
  now?: () => Date;
};

export type JoinService = ReturnType<typeof createJoinService>;

export const createJoinService = (options: JoinServiceOptions) => {
  const { guard = unguarded } = options;
  const routes = createPlatformSessionRoutes(options.sessions, options.observeCache);
  return {
    /**
     * Seats a player, or holds a seat, in the parent session of a platform session. Answers the session
     * as it is stored. Errors: JOIN_ERROR_CODES of the contract.
     */
    join: async (caller: Caller, input: JoinInput): Promise<SessionState> => {
      const isSelf = authorise(caller, input);
      const digest = platformSessionDigest(input.platform, input.platformSessionIdBase64);
      const player = new JoiningPlayer(input.playerUuid, options.players);
      const mayBeStranger = isSelf && input.playerId === undefined && !input.alsoWrite;
      // Begun before the session is found, and heard of even when it is not.
      if (!mayBeStranger) player.lookUp().catch(() => {});
      const joinSession = async (sessionKey: string) => {
        if (!mayBeStranger) await identify(options.players, player, input, isSelf);
        const attempt = new JoinAttempt(caller, input, { isSelf, digest, player });
        const session = await changeSession(options, sessionKey, attempt);
        // After the seat, so that a refused join leaves no trace; a retry of a lost answer repeats it.
        if (!player.isRegistered) await options.players.registerUuid(input.playerUuid);
        return session;
      };
      return guard(() => routes.follow(digest, joinSession));
    },
  };
};

const changeSession = async (
  { queue, refusals, now = () => new Date() }: JoinServiceOptions,
  sessionKey: string,
  attempt: JoinAttempt,
): Promise<SessionState> => {
  try {
    return await queue.change(sessionKey, attempt.toChange());
  } catch (error) {
    if (error instanceof ServiceError && attempt.wasRefused(error)) {
      const { code: errorCode, message: desc } = error;
      refusals.record({ sessionKey, ...attempt.describe(), errorCode, desc, at: now() });
    }
    throw error;
  }
};

/** True for a self-join: the account is the player, whatever the permission. */
const authorise = (caller: Caller, { playerUuid, request }: JoinInput): boolean => {
  const isSelf = caller.accountId.toLowerCase() === playerUuid;
  const forAny = permits(caller.permissions, JOIN_FOR_ANY);
  if (!forAny && !(isSelf && permits(caller.permissions, JOIN_FOR_SELF))) {
    throw new ServiceError('insufficient_permissions');
  }
  const asksForHold = request.status === 'invited' || request.status === 'reserved';
  if (isSelf && asksForHold) {
    const desc = `A player cannot ask for the status ${request.status} on their own behalf.`;
    throw new ServiceError('insufficient_permissions', { desc });
  }
  return isSelf;
};
