// The join: finds the session of the platform session, decides by the rules, writes once, answers what was written.
import type { ErrorCode, JoinRequest, Platform } from '@muster/contract';
import {
  JOIN_FOR_ANY,
  JOIN_FOR_SELF,
  permits,
  resolvePlatform,
  toWrittenUuid,
} from '@muster/contract';
import { LRUCache } from 'lru-cache';
import type { Caller } from '../auth/index.ts';
import type { CircuitBreaker } from '../platform/index.ts';
import { alwaysClosed, ServiceError } from '../platform/index.ts';
import type { LimitEvents } from './event-limit.ts';
import type { JoinCommand } from './join-rules.ts';
import { decideJoin } from './join-rules.ts';
import type { PlayerLookup, PlayerStore } from './player-store.ts';
import { claimLegacyId } from './player-store.ts';
import type { RefusalRecorder } from './refusal-store.ts';
import type { ChangeResult, SessionState } from './session.ts';
import { platformSessionDigest } from './session.ts';
import type { SessionChange, SessionQueue } from './session-queue.ts';
import type { TransactionStep } from './session-sql.ts';
import type { SessionStore } from './session-store.ts';

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

type JoinServiceOptions = {
  sessions: Pick<SessionStore, 'findKeyByPlatformSession'>;
  queue: Pick<SessionQueue, 'change'>;
  players: Pick<PlayerStore, 'findPlayer' | 'findHolder'>;
  refusals: Pick<RefusalRecorder, 'record'>;
  /** Called for each self-join. Without it, all their events are recorded. */
  limitUpdates?: () => LimitEvents;
  /** Without it, each join waits for its own deadlines when the database does not answer. */
  breaker?: Pick<CircuitBreaker, 'run'>;
  observeCache?: ObserveCache;
  now?: () => Date;
};

/** Given how many entries a cache has; the result is called for each look into it. */
type ObserveCache = (countEntries: () => number) => (isHit: boolean) => void;

export type JoinService = ReturnType<typeof createJoinService>;

export const createJoinService = ({
  sessions,
  queue,
  players,
  refusals,
  limitUpdates = () => (events) => events,
  breaker = alwaysClosed,
  observeCache,
  now = () => new Date(),
}: JoinServiceOptions) => {
  const withSessionKey = createSessionKeyCache(sessions.findKeyByPlatformSession, observeCache);

  const lookUp = async (playerUuid: string): Promise<PlayerLookup> => {
    const found = await players.findPlayer(playerUuid);
    return { playerId: found?.playerId, isRegistered: found !== undefined };
  };

  const changeSession = async (sessionKey: string, caller: Caller, join: Join) => {
    try {
      const limitEvents = join.isSelf ? limitUpdates() : undefined;
      return await queue.change(sessionKey, toChange(caller, join, lookUp, limitEvents));
    } catch (error) {
      if (error instanceof ServiceError && !NON_RULE_ERRORS.has(error.code)) {
        const { playerUuid, request } = join.input;
        refusals.record({
          ...{ sessionKey, playerUuid, teamId: request.team_id, accountId: caller.accountId },
          ...{ errorCode: error.code, desc: error.message, at: now() },
        });
      }
      throw error;
    }
  };

  return {
    /**
     * Seats a player, or holds a seat, in the parent session of a platform session. Answers the session
     * as it is stored. Errors: JOIN_ERROR_CODES of the contract.
     */
    join: async (caller: Caller, input: JoinInput): Promise<SessionState> => {
      const isSelf = authorise(caller, input);
      const { playerUuid } = input;
      const digest = platformSessionDigest(input.platform, input.platformSessionIdBase64);
      // The answer to most joins does not depend on what is stored of the player: the write finds it out.
      const dependsOnPlayer = !isSelf || input.playerId !== undefined || input.alsoWrite;
      // Begins before the session is found. A failure matters only where the result is awaited.
      const lookingUp = dependsOnPlayer ? lookUp(playerUuid) : undefined;
      lookingUp?.catch(() => {});

      const joinSession = async (sessionKey: string): Promise<SessionState> => {
        const player = lookingUp && (await lookingUp);
        if (player) await checkPlayer(players, player, input, isSelf);
        return (await changeSession(sessionKey, caller, { input, isSelf, digest, player })).session;
      };
      return breaker.run(() => withSessionKey(digest, joinSession));
    },
  };
};

/**
 * A join whose caller may act for the player, with what is known of the player: nothing, unless the answer
 * depends on it.
 */
type Join = {
  input: JoinInput;
  isSelf: boolean;
  digest: string;
  player: PlayerLookup | undefined;
};

/**
 * True for a self-join: the account is the player, whatever the permission. Errors:
 * `insufficient_permissions`.
 */
const authorise = (caller: Caller, { playerUuid, request }: JoinInput): boolean => {
  const isSelf = toWrittenUuid(caller.accountId) === playerUuid;
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

/**
 * Other accounts can join only for registered players, and no join may name a legacy id that is not the player's.
 * Errors: `player_not_found`.
 */
const checkPlayer = async (
  players: Pick<PlayerStore, 'findHolder'>,
  player: PlayerLookup,
  { playerUuid, playerId }: JoinInput,
  isSelf: boolean,
): Promise<void> => {
  if (!player.isRegistered && !isSelf) throw new ServiceError('player_not_found');
  if (playerId === undefined) return;
  if (player.playerId !== undefined && player.playerId !== playerId) {
    const desc = 'The player has another legacy id than player_id.';
    throw new ServiceError('player_not_found', { desc });
  }
  if (isSelf || player.playerId !== undefined) return;
  // Checked before the rules; the claim itself, made with the write, settles a race for the id.
  const holder = await players.findHolder(playerId);
  if (holder && holder !== playerUuid) {
    throw new ServiceError('player_not_found', HELD_BY_ANOTHER);
  }
};

const HELD_BY_ANOTHER = { desc: 'player_id is the legacy id of another player.' };

const toChange = (
  caller: Caller,
  { input, isSelf, digest, player }: Join,
  lookUp: NonNullable<SessionChange['lookUp']>,
  limitEvents: LimitEvents = (events) => events,
): SessionChange => {
  const { playerUuid, request, alsoWrite } = input;
  const asksForSeat = request.status === 'leader' || request.status === 'member';
  // A legacy id that the caller may record and that is not recorded yet.
  const newPlayerId = isSelf || player?.playerId !== undefined ? undefined : input.playerId;
  return {
    accountId: caller.accountId,
    decide: (session, now, known) => {
      // The key was found before the session was read: the platform session may have been removed in between.
      if (!session?.platformSessions.some((child) => child.digest === digest)) {
        throw new ServiceError('platform_session_not_found');
      }
      const playerId = known?.playerId ?? newPlayerId;
      const result = decide(session, toCommand(caller, input, isSelf, playerId), now);
      return result && { ...result, events: limitEvents(result.events, session.key, now) };
    },
    seatsPlayer: playerUuid,
    player,
    lookUp,
    // An invited player has not come: only a request to be seated shows that the player is connected.
    reconnects: asksForSeat ? playerUuid : undefined,
    ...((alsoWrite || newPlayerId !== undefined) && {
      inTransaction: (before, after) => async (transaction) => {
        if (newPlayerId !== undefined) await claim(transaction, playerUuid, newPlayerId);
        await alsoWrite?.(before, after)(transaction);
      },
    }),
  };
};

const decide = (session: SessionState, command: JoinCommand, now: Date): ChangeResult | null => {
  const decision = decideJoin(session, command, now);
  if (decision.kind === 'unchanged') return null;
  if (decision.kind === 'changed') return decision;
  const { code, desc } = decision.refusal;
  throw new ServiceError(code, desc === undefined ? {} : { desc });
};

const toCommand = (
  caller: Caller,
  { playerUuid, request }: JoinInput,
  isSelf: boolean,
  playerId: number | undefined,
): JoinCommand => ({
  playerUuid,
  isSelf,
  status: request.status,
  teamId: request.team_id,
  clientVersion: request.client_version,
  platform: caller.platform ?? resolvePlatform(request.client_settings),
  input: request.client_settings.input,
  crossplay: request.crossplay_preferences,
  customData: request.custom_data,
  playerId,
});

const claim = async (
  transaction: Parameters<TransactionStep>[0],
  playerUuid: string,
  playerId: number,
): Promise<void> => {
  if (await claimLegacyId(transaction, playerUuid, playerId)) return;
  throw new ServiceError('player_not_found', HELD_BY_ANOTHER);
};

/** The other errors are refusals by the rules of the session, which its timeline records. */
const NON_RULE_ERRORS: ReadonlySet<ErrorCode> = new Set([
  'platform_session_not_found',
  'session_busy',
  'service_overloaded',
]);

const MAX_SESSION_KEYS = 50_000;

/**
 * Caches which session a platform session belongs to, which rarely changes. Runs `join` with the key of that
 * session. A cached key may be outdated, which shows in a join that does not find the platform session: then
 * the key is read and the join runs again. A player is looked for before the session is read: that there is no such player is told
 * only of a platform session that is there. Errors: `platform_session_not_found`, and those of `join`.
 */
const createSessionKeyCache = (
  findKeyByPlatformSession: SessionStore['findKeyByPlatformSession'],
  observeCache?: ObserveCache,
) => {
  const cached = new LRUCache<string, string>({ max: MAX_SESSION_KEYS });
  const onLook = observeCache?.(() => cached.size);

  const find = async (digest: string): Promise<string> => {
    const sessionKey = await findKeyByPlatformSession(digest);
    if (!sessionKey) {
      cached.delete(digest);
      throw new ServiceError('platform_session_not_found');
    }
    cached.set(digest, sessionKey);
    return sessionKey;
  };

  return async <Answer>(
    digest: string,
    join: (sessionKey: string) => Promise<Answer>,
  ): Promise<Answer> => {
    const sessionKey = cached.get(digest);
    onLook?.(sessionKey !== undefined);
    if (sessionKey === undefined) return join(await find(digest));
    try {
      return await join(sessionKey);
    } catch (error) {
      const code = error instanceof ServiceError ? error.code : undefined;
      if (code !== 'platform_session_not_found' && code !== 'player_not_found') throw error;
      const found = await find(digest);
      if (found === sessionKey && code === 'player_not_found') throw error;
      return join(found);
    }
  };
};
