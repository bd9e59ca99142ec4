// The join: finds the session of the platform session, decides by the rules, writes once, answers what
// was written.
import type { ErrorCode, JoinRequest, Platform } from '@muster/contract';
import { JOIN_FOR_ANY, JOIN_FOR_SELF, permits, resolvePlatform } from '@muster/contract';
import type { Caller } from '../auth/index.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { DatabaseWatch } from '../outage/index.ts';
import { unguarded } from '../outage/index.ts';
import type { KnownPlayer, PlayerStore } from '../players/index.ts';
import { claimLegacyId } from '../players/index.ts';
import type {
  ChangeResult,
  SessionChange,
  SessionQueue,
  SessionState,
  SessionStore,
} from '../sessions/index.ts';
import { platformSessionDigest } from '../sessions/index.ts';
import type { JoinCommand } from './join-rules.ts';
import { decideJoin } from './join-rules.ts';
import { createPlatformSessionRoutes } from './platform-session-routes.ts';
import type { RefusalRecorder } from './refusal-recorder.ts';

export type JoinInput = {
  platform: Platform;
  platformSessionIdBase64: string;
  /** Lower-case UUID. */
  playerUuid: string;
  /** The legacy id of the query; never identity or authorisation. */
  playerId?: number | undefined;
  request: JoinRequest;
  /** Commits with the join, when it changes anything. */
  alsoWrite?: NonNullable<SessionChange['inTransaction']>;
};

export type JoinServiceOptions = {
  sessions: Pick<SessionStore, 'findKeyByPlatformSession'>;
  queue: Pick<SessionQueue, 'change'>;
  players: Pick<PlayerStore, 'findPlayer' | 'findHolder' | 'registerUuid'>;
  refusals: Pick<RefusalRecorder, 'record'>;
  /** Ends the wait for a database that is away; without it, each join waits for its own deadlines. */
  guard?: DatabaseWatch['guard'];
  now?: () => Date;
};

export type JoinService = ReturnType<typeof createJoinService>;

export const createJoinService = (options: JoinServiceOptions) => {
  const { guard = unguarded } = options;
  const routes = createPlatformSessionRoutes(options.sessions);
  return {
    /**
     * Seats a player, or holds a seat, in the parent session of a platform session. Answers the session
     * as it is stored. Errors: JOIN_ERROR_CODES of the contract.
     */
    join: async (caller: Caller, input: JoinInput): Promise<SessionState> => {
      const isSelf = authorise(caller, input);
      const digest = platformSessionDigest(input.platform, input.platformSessionIdBase64);
      // Begun before the session is found, and heard of even when it is not.
      const finding = options.players.findPlayer(input.playerUuid);
      finding.catch(() => {});
      const joinSession = async (sessionKey: string) => {
        const player = await finding;
        checkPlayer(player, input, isSelf);
        const attempt = new JoinAttempt(caller, input, { isSelf, digest, player });
        await checkHolder(options.players, attempt);
        const session = await changeSession(options, sessionKey, attempt);
        // After the seat, so that a refused join leaves no trace; a retry of a lost answer repeats it.
        if (!player) await options.players.registerUuid(input.playerUuid);
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

/** Others can join only for players who are known, and nobody under a legacy id that is not the player's. */
const checkPlayer = (
  player: KnownPlayer | undefined,
  { playerId }: JoinInput,
  isSelf: boolean,
): void => {
  if (!player && !isSelf) throw new ServiceError('player_not_found');
  if (playerId !== undefined && player?.playerId !== undefined && player.playerId !== playerId) {
    throw new ServiceError('player_not_found', {
      desc: 'The player has another legacy id than player_id.',
    });
  }
};

/** Checked before the rules; the claim itself, made with the write, settles a race for the id. */
const checkHolder = async (
  players: JoinServiceOptions['players'],
  { newPlayerId, playerUuid }: JoinAttempt,
): Promise<void> => {
  if (newPlayerId === undefined) return;
  const holder = await players.findHolder(newPlayerId);
  if (holder && holder !== playerUuid) throw new ServiceError('player_not_found', HELD_BY_ANOTHER);
};

const HELD_BY_ANOTHER = { desc: 'player_id is the legacy id of another player.' };

const claimStep =
  (playerUuid: string, playerId: number): ReturnType<NonNullable<SessionChange['inTransaction']>> =>
  async (transaction) => {
    if (await claimLegacyId(transaction, playerUuid, playerId)) return;
    throw new ServiceError('player_not_found', HELD_BY_ANOTHER);
  };

/** Who is invited has not come: only who asks to be seated shows to be there. */
const isArrival = ({ status }: JoinCommand): boolean => status === 'leader' || status === 'member';

const FAILURES_ON_THE_WAY: ReadonlySet<ErrorCode> = new Set([
  'platform_session_not_found',
  'session_busy',
  'service_overloaded',
]);

type JoinFacts = { isSelf: boolean; digest: string; player: KnownPlayer | undefined };

/** One join on its way through the queue, which may decide it more than once. */
class JoinAttempt {
  readonly #caller: Caller;
  readonly #input: JoinInput;
  readonly #facts: JoinFacts;
  /** A legacy id that the caller may record and that is not recorded yet. */
  readonly newPlayerId: number | undefined;

  constructor(caller: Caller, input: JoinInput, facts: JoinFacts) {
    this.#caller = caller;
    this.#input = input;
    this.#facts = facts;
    const isNew = !facts.isSelf && facts.player?.playerId === undefined;
    this.newPlayerId = isNew ? input.playerId : undefined;
  }

  get playerUuid(): string {
    return this.#input.playerUuid;
  }

  toChange(): SessionChange {
    const command = this.#toCommand();
    const steps = this.#listSteps(command.playerUuid);
    return {
      accountId: this.#caller.accountId,
      decide: (session, now) => this.#decide(session, command, now),
      newcomer: command.playerUuid,
      ...(isArrival(command) && { returning: command.playerUuid }),
      ...(steps.length > 0 && {
        inTransaction: (before, after) => async (transaction) => {
          for (const step of steps) await step(before, after)(transaction);
        },
      }),
    };
  }

  #listSteps(playerUuid: string): NonNullable<SessionChange['inTransaction']>[] {
    const { alsoWrite } = this.#input;
    const playerId = this.newPlayerId;
    const claim = playerId === undefined ? [] : [() => claimStep(playerUuid, playerId)];
    return alsoWrite ? [...claim, alsoWrite] : claim;
  }

  /** The session's rules refused it, in contrast to a failure on the way to the session. */
  wasRefused({ code }: ServiceError): boolean {
    return !FAILURES_ON_THE_WAY.has(code);
  }

  describe() {
    const { playerUuid, request } = this.#input;
    return { playerUuid, teamId: request.team_id, accountId: this.#caller.accountId };
  }

  #decide(session: SessionState | null, command: JoinCommand, now: Date): ChangeResult | null {
    const { digest } = this.#facts;
    // The route is read before the session: it may have been removed in between.
    if (!session?.platformSessions.some((child) => child.digest === digest)) {
      throw new ServiceError('platform_session_not_found');
    }
    const decision = decideJoin(session, command, now);
    if (decision.kind === 'unchanged') return null;
    if (decision.kind === 'changed') return decision;
    const { code, desc } = decision.refusal;
    throw new ServiceError(code, desc === undefined ? {} : { desc });
  }

  #toCommand(): JoinCommand {
    const { request, playerUuid } = this.#input;
    return {
      playerUuid,
      isSelf: this.#facts.isSelf,
      status: request.status,
      teamId: request.team_id,
      clientVersion: request.client_version,
      platform: this.#caller.platform ?? resolvePlatform(request.client_settings),
      input: request.client_settings.input,
      crossplay: request.crossplay_preferences,
      customData: request.custom_data,
      playerId: this.#facts.player?.playerId ?? this.newPlayerId,
    };
  }
}
