import type { Connection, Fetch } from './call-service.ts';
import { readBaseUrl } from './call-service.ts';
import type { ListedSessions, SessionRead } from './companion.ts';
import { leaveSession, listPlayerSessions, readSession } from './companion.ts';
import type { TokenOption } from './credentials.ts';
import { createTokenSource } from './credentials.ts';
import type { HistoryPage, HistoryWalk } from './history.ts';
import { listHistory, walkHistory } from './history.ts';
import type { Joined } from './join-by-platform-session.ts';
import { joinByPlatformSession } from './join-by-platform-session.ts';
import type {
  CallOptions,
  ItemHistoryRequest,
  JoinByPlatformSessionRequest,
  LeaveSessionRequest,
  ListPlayerSessionsRequest,
  ReadSessionRequest,
  XpHistoryRequest,
} from './requests.ts';
import type { RetryOptions } from './retries.ts';
import type { Clock } from './timers.ts';
import { SYSTEM_CLOCK } from './timers.ts';
import type { ItemTransaction, XpTransaction } from './wire/history-types.ts';

export type ItemWalkRequest = ItemHistoryRequest & { kind: 'item' };
export type XpWalkRequest = XpHistoryRequest & { kind: 'xp' };

/**
 * Every call rejects with a MusterError (ServiceError, ValidationError, UnexpectedAnswerError,
 * NetworkError, TimeoutError, TokenError), with the reason of its aborted signal, or with TypeError for
 * what cannot be sent.
 */
export type MusterClient = {
  /**
   * Joins the session that the platform session belongs to. Safe to repeat, so `session_busy`,
   * `service_overloaded`, `rate_limited` and network failures are retried within `retry.budgetMs`.
   */
  joinByPlatformSession(
    request: JoinByPlatformSessionRequest,
    options?: CallOptions,
  ): Promise<Joined>;
  /**
   * The session of a seated or invited player; for an invited one without connection data. With `if_none_match`, no
   * session is sent while that ETag is current. Retries `session_busy`, 429, 503 and network failures.
   */
  readSession(request: ReadSessionRequest, options?: CallOptions): Promise<SessionRead>;
  /** The live sessions in which the player has a seat or an invitation, at most 100. Retries as above. */
  listPlayerSessions(
    request: ListPlayerSessionsRequest,
    options?: CallOptions,
  ): Promise<ListedSessions>;
  /** Gives up the seat of the player, or declines the invitation. Safe to repeat; retries as above. */
  leaveSession(request: LeaveSessionRequest, options?: CallOptions): Promise<void>;
  /** One page of the version history of the Items of a sandbox. Retries 429, 503 and network failures. */
  listItemHistory(
    request: ItemHistoryRequest,
    options?: CallOptions,
  ): Promise<HistoryPage<ItemTransaction>>;
  /** One page of the version history of the Xp tables of a sandbox. Retries 429, 503 and network failures. */
  listXpHistory(
    request: XpHistoryRequest,
    options?: CallOptions,
  ): Promise<HistoryPage<XpTransaction>>;
  /** Walks a history from `cursor` or from its start. Returns each transaction once, even while new versions are written. */
  walkHistory(request: ItemWalkRequest, options?: CallOptions): HistoryWalk<ItemTransaction>;
  walkHistory(request: XpWalkRequest, options?: CallOptions): HistoryWalk<XpTransaction>;
};

/** A client of the service at `baseUrl`. Throws TypeError when an option cannot be used. */
export const createMusterClient = (options: MusterClientOptions): MusterClient =>
  createClient(connect(options, SYSTEM_CLOCK));

/** Bound to a connection whose clock a test may hold. */
export const createClient = (connection: Connection): MusterClient => {
  function walk(request: ItemWalkRequest, options?: CallOptions): HistoryWalk<ItemTransaction>;
  function walk(request: XpWalkRequest, options?: CallOptions): HistoryWalk<XpTransaction>;
  function walk({ kind, ...request }: ItemWalkRequest | XpWalkRequest, options?: CallOptions) {
    const listFrom = (cursor: string | undefined) =>
      listHistory<ItemTransaction | XpTransaction>(
        connection,
        kind,
        cursor === undefined ? request : { ...request, cursor },
        options,
      );
    return walkHistory(listFrom, options?.signal);
  }

  return {
    joinByPlatformSession: (request, options) =>
      joinByPlatformSession(connection, request, options),
    readSession: (request, options) => readSession(connection, request, options),
    listPlayerSessions: (request, options) => listPlayerSessions(connection, request, options),
    leaveSession: (request, options) => leaveSession(connection, request, options),
    listItemHistory: (request, options) => listHistory(connection, 'item', request, options),
    listXpHistory: (request, options) => listHistory(connection, 'xp', request, options),
    walkHistory: walk,
  };
};

export type MusterClientOptions = {
  /** Where the service is, with the path that a gateway puts before it, if any. */
  baseUrl: string | URL;
  /** JWT or API key, or where to get one. Left out only where the histories are public. */
  token?: TokenOption | undefined;
  /** Used in place of the global `fetch`. */
  fetch?: Fetch | undefined;
  /** Sent with every request, such as trace headers. To another origin a browser sends those that the service allows. */
  headers?: Record<string, string> | undefined;
  /** The longest that one attempt may take, its tokens included, in milliseconds. Default 10,000. */
  timeoutMs?: number | undefined;
  retry?: RetryOptions | undefined;
};

const DEFAULT_TIMEOUT_MS = 10_000;

/** Throws TypeError when `baseUrl` is no http(s) URL or a header is not valid. */
export const connect = (options: MusterClientOptions, clock: Clock): Connection => ({
  baseUrl: readBaseUrl(options.baseUrl),
  // The global is looked up at each call: it may be replaced, and must not lose its `this`.
  fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
  tokens: createTokenSource(options.token),
  headers: new Headers(options.headers),
  timeoutMs: options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
  retry: options.retry,
  clock,
});
