import type { Connection } from './call-service.ts';
import type { MusterClientOptions } from './client-options.ts';
import { connect } from './client-options.ts';
import type { Joined } from './join-by-platform-session.ts';
import { joinByPlatformSession } from './join-by-platform-session.ts';
import type { HistoryPage } from './list-history.ts';
import { listItemHistory, listXpHistory } from './list-history.ts';
import type {
  CallOptions,
  ItemHistoryRequest,
  JoinByPlatformSessionRequest,
  XpHistoryRequest,
} from './requests.ts';
import { SYSTEM_CLOCK } from './retry/clock.ts';
import type { HistoryWalk } from './walk-history.ts';
import { walkHistory } from './walk-history.ts';
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
   * `service_overloaded` and network failures are retried within `retry.budgetMs`.
   */
  joinByPlatformSession(
    request: JoinByPlatformSessionRequest,
    options?: CallOptions,
  ): Promise<Joined>;
  /** One page of the version history of the Items of a sandbox. Retries 429, 503 and network failures. */
  listItemHistory(
    request: ItemHistoryRequest,
    options?: CallOptions,
  ): Promise<HistoryPage<ItemTransaction>>;
  /** One page of the version history of the Xp tables of a sandbox. Retries as above. */
  listXpHistory(
    request: XpHistoryRequest,
    options?: CallOptions,
  ): Promise<HistoryPage<XpTransaction>>;
  /** Walks a history from `cursor` or from its start, each transaction once, whatever is written meanwhile. */
  walkHistory(request: ItemWalkRequest, options?: CallOptions): HistoryWalk<ItemTransaction>;
  walkHistory(request: XpWalkRequest, options?: CallOptions): HistoryWalk<XpTransaction>;
};

/** A client of the service at `baseUrl`. Throws TypeError when an option cannot be used. */
export const createMusterClient = (options: MusterClientOptions): MusterClient =>
  createClient(connect(options, SYSTEM_CLOCK));

/** Bound to a connection whose clock a test may hold. */
export const createClient = (connection: Connection): MusterClient => {
  const walkItems = ({ kind: _, ...request }: ItemWalkRequest, options?: CallOptions) =>
    walkHistory(
      (cursor) => listItemHistory(connection, startAt(request, cursor), options),
      options?.signal,
    );
  const walkXp = ({ kind: _, ...request }: XpWalkRequest, options?: CallOptions) =>
    walkHistory(
      (cursor) => listXpHistory(connection, startAt(request, cursor), options),
      options?.signal,
    );

  function walk(request: ItemWalkRequest, options?: CallOptions): HistoryWalk<ItemTransaction>;
  function walk(request: XpWalkRequest, options?: CallOptions): HistoryWalk<XpTransaction>;
  function walk(request: ItemWalkRequest | XpWalkRequest, options?: CallOptions) {
    return request.kind === 'item' ? walkItems(request, options) : walkXp(request, options);
  }

  return {
    joinByPlatformSession: (request, options) =>
      joinByPlatformSession(connection, request, options),
    listItemHistory: (request, options) => listItemHistory(connection, request, options),
    listXpHistory: (request, options) => listXpHistory(connection, request, options),
    walkHistory: walk,
  };
};

const startAt = <Request extends { cursor?: string | undefined }>(
  request: Request,
  cursor: string | undefined,
): Request => (cursor === undefined ? request : { ...request, cursor });
