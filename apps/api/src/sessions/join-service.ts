// The join: finds the session of the platform session, applies the rules, writes once, and returns the written session.
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
import type { CircuitBreaker } from '../flow/index.ts';
import { ServiceError } from '../platform/index.ts';
import type { LimitEvents } from './event-limits.ts';
import { decideJoin } from './join-rules.ts';
import type { PlayerLookup, PlayerStore } from './player-store.ts';
import { claimLegacyId } from './player-store.ts';
import type { RefusalRecorder } from './refusal-store.ts';
import type { SessionName, SessionState } from './session.ts';
import { findOverdue, isSeated, platformSessionDigest } from './session.ts';
import type { SessionChange } from './session-batch.ts';
import type { SessionQueue } from './session-queue.ts';
import type { SessionStore } from './session-store.ts';

export type JoinInput = {
  platform: Platform;
  platformSessionIdBase64: string;
  /** Lower-case UUID. */
  playerUuid: string;
  /** The legacy id of the query; never used for identity or authorisation. */
  playerId?: number | undefined;
  request: JoinRequest;
  /** The audit record of the join, when it changes anything. */
  audit?: SessionChange['audit'];
  /** Called with the session before the join is decided. */
  onSession?: ((session: SessionName) => void) | undefined;
};

type JoinServiceOptions = {
  sessions: Pick<SessionStore, 'findKeyByPlatformSession'>;
  queue: Pick<SessionQueue, 'change'>;
  players: Pick<PlayerStore, 'findPlayer' | 'findHolder'>;
  refusals: Pick<RefusalRecorder, 'record'>;
  /** Called for each self-join. */
  limitEvents: () => LimitEvents;
  breaker: Pick<CircuitBreaker, 'run'>;
  observeCache: ObserveCache;
  now?: () => Date;
};

/** Receives a function that counts the cache entries; the result is called for each look-up. */
type ObserveCache = (countEntries: () => number) => (isHit: boolean) => void;

export type JoinService = ReturnType<typeof createJoinService>;

export const createJoinService = ({
  sessions,
  queue,
  players,
  refusals,
  limitEvents,
  breaker,
  observeCache,
  now = () => new Date(),
}: JoinServiceOptions) => {
  const withSessionKey = createSessionKeyCache(sessions.findKeyByPlatformSession, observeCache);

  const lookUp = async (playerUuid: string): Promise<PlayerLookup> => {
    const found = await players.findPlayer(playerUuid);
    return { playerId: found?.playerId, isRegistered: found !== undefined };
  };

  return {
    /**
     * Seats a player, or holds a seat, in the session of a platform session. Returns the stored session. Errors:
     * JOIN_ERROR_CODES of the contract.
     */
    join: async (caller: Caller, input: JoinInput): Promise<SessionState> => {
      const isSelf = authorise(caller, input);
      const { playerUuid } = input;
      const digest = platformSessionDigest(input.platform, input.platformSessionIdBase64);
      // Most joins do not depend on the stored player; the write looks it up.
      const dependsOnPlayer = !isSelf || input.playerId !== undefined || input.audit;

      const joinSession = async (
        sessionKey: string,
        lookingUp: Promise<PlayerLookup> | undefined,
      ): Promise<SessionState> => {
        const player = lookingUp && (await lookingUp);
        if (player) await checkPlayer(players, player, input, isSelf);
        const limit = isSelf ? limitEvents() : undefined;
        const change = toChange(caller, { input, isSelf, digest, player, limit }, lookUp);
        return queue.change(sessionKey, change).catch((error: unknown) => {
          const isRefusal = error instanceof ServiceError && !UNRECORDED_ERRORS.has(error.code);
          if (isRefusal) {
            refusals.record({
              sessionKey,
              playerUuid,
              teamId: input.request.team_id,
              at: now(),
              accountId: caller.accountId,
              errorCode: error.code,
              desc: error.message,
              otherPlayerUuid: error.evidence.otherPlayerUuid,
            });
          }
          throw error;
        });
      };
      return breaker.run(() => {
        // Starts before the session is found. A failure only matters when the result is awaited.
        const lookingUp = dependsOnPlayer ? lookUp(playerUuid) : undefined;
        lookingUp?.catch(() => {});
        return withSessionKey(digest, (sessionKey) => joinSession(sessionKey, lookingUp));
      });
    },
  };
};

/** A join whose caller may act for the player. `player` is set only when the decision depends on it. */
type Join = {
  input: JoinInput;
  isSelf: boolean;
  digest: string;
  player: PlayerLookup | undefined;
  limit: LimitEvents | undefined;
};

/** Returns true for a self-join: the account is the player, whatever the permission. Errors: `insufficient_permissions`. */
const authorise = (caller: Caller, { playerUuid, request }: JoinInput): boolean => {
  const isSelf = toWrittenUuid(caller.accountId) === playerUuid;
  const forAny = permits(caller.permissions, JOIN_FOR_ANY);
  if (!forAny && !(isSelf && permits(caller.permissions, JOIN_FOR_SELF))) {
    throw new ServiceError('insufficient_permissions');
  }
  if (isSelf && !isSeated(request)) {
    const desc = `A player cannot ask for the status ${request.status} on their own behalf.`;
    throw new ServiceError('insufficient_permissions', { desc });
  }
  return isSelf;
};

/**
 * Other accounts can join only for registered players, and a join must not contain another player's legacy id. Errors:
 * `player_not_found`.
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
  // Checked before the rules. The claim itself is written with the join, which decides races for the id.
  const holder = await players.findHolder(playerId);
  if (holder && holder !== playerUuid) throw heldByAnother();
};

const heldByAnother = () =>
  new ServiceError('player_not_found', { desc: 'player_id is the legacy id of another player.' });

const toChange = (
  caller: Caller,
  { input, isSelf, digest, player, limit }: Join,
  lookUp: NonNullable<SessionChange['lookUp']>,
): SessionChange => {
  const { playerUuid, request, audit, onSession } = input;
  // A legacy id that the caller may record and that is not recorded yet.
  const newPlayerId = isSelf || player?.playerId !== undefined ? undefined : input.playerId;
  const claim = newPlayerId !== undefined && claimLegacyId(playerUuid, newPlayerId, heldByAnother);
  return {
    accountId: caller.accountId,
    notFound: 'platform_session_not_found',
    decide: (session, now, known) => {
      onSession?.(session);
      // The key was found before the session was read; the platform session may have been removed in between.
      if (!session.platformSessions.some((child) => child.digest === digest)) {
        throw new ServiceError('platform_session_not_found');
      }
      const command = {
        playerUuid,
        isSelf,
        status: request.status,
        teamId: request.team_id,
        clientVersion: request.client_version,
        platform: caller.platform ?? resolvePlatform(request.client_settings),
        input: request.client_settings.input,
        crossplay: request.crossplay_preferences,
        customData: request.custom_data,
        playerId: known?.playerId ?? newPlayerId,
      };
      const result = decideJoin(session, command, now);
      return result && limit
        ? { ...result, events: limit(result.events, session.key, now) }
        : result;
    },
    seatsPlayer: playerUuid,
    player,
    lookUp,
    // An invited player has not arrived: only a request for a seat proves that the player is connected. A mark that
    // has expired ends with any join, since the response must not show it, and no join removes the player's seat.
    reconnects: (session, now) =>
      isSeated(request) || findOverdue(session, now).has(playerUuid) ? playerUuid : undefined,
    audit,
    ...(claim && { inTransaction: () => claim }),
  };
};

/** All other errors are refusals by the rules of the session, which its timeline records. */
const UNRECORDED_ERRORS: ReadonlySet<ErrorCode> = new Set([
  'platform_session_not_found',
  'session_busy',
  'service_overloaded',
]);

const MAX_SESSION_KEYS = 50_000;

/**
 * Caches the session of each platform session, which rarely changes, and runs `join` with its key. When `join` does not
 * find the platform session, a cached key may be outdated: the key is read and the join runs again. A missing player is
 * looked up before the session is read, but is reported only when the platform session exists. Errors:
 * `platform_session_not_found`, and those of `join`.
 */
const createSessionKeyCache = (
  findKeyByPlatformSession: SessionStore['findKeyByPlatformSession'],
  observeCache: ObserveCache,
) => {
  const cached = new LRUCache<string, string>({ max: MAX_SESSION_KEYS });
  const onLook = observeCache(() => cached.size);

  const find = async (digest: string): Promise<string> => {
    const sessionKey = await findKeyByPlatformSession(digest);
    if (!sessionKey) {
      cached.delete(digest);
      throw new ServiceError('platform_session_not_found');
    }
    cached.set(digest, sessionKey);
    return sessionKey;
  };

  return async (
    digest: string,
    join: (sessionKey: string) => Promise<SessionState>,
  ): Promise<SessionState> => {
    const sessionKey = cached.get(digest);
    onLook(sessionKey !== undefined);
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
