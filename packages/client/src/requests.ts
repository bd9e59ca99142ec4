// The parameters of callers, named as in the HTTP interface.
import type { RetryOptions } from './retries.ts';
import type { JoinRequest, Platform } from './wire/session-types.ts';

export type CallOptions = {
  /** Aborts the call and its waits between attempts: the call rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** The longest that one attempt may take, its tokens included, in milliseconds. */
  timeoutMs?: number | undefined;
  retry?: RetryOptions | undefined;
};

export type JoinByPlatformSessionRequest = {
  platform: Platform;
  /** 1..4096 characters, in either base64 alphabet, padded or not; never percent-encoded. */
  platform_session_id_base64: string;
  player_uuid: string;
  /** Legacy id; recorded only for callers who may act for any player. */
  player_id?: number | undefined;
  body: JoinRequest;
};

type SessionName = {
  type: string;
  session_id: string;
};

export type ReadSessionRequest = SessionName & {
  /** The ETag of the session that the caller has: the response has no session while it is current. */
  if_none_match?: string | undefined;
  /** 1..55 seconds to wait for a change while that ETag is current. The timeout of an attempt is longer by this time. */
  wait?: number | undefined;
};

export type ListPlayerSessionsRequest = { player_uuid: string };

export type LeaveSessionRequest = SessionName & { player_uuid: string };

type HistoryRequest = {
  sandbox_id: string;
  /** Records that have ever had a name which contains it, whatever its case. */
  name?: string | undefined;
  /** `desc`, the default, gives the newest version first. */
  sort_order?: 'asc' | 'desc' | undefined;
  /** `page_meta.cursor` of the page before; `'0'` or absent for the first. */
  cursor?: string | undefined;
  /** 1..1000, 50 by default. */
  page_size?: number | undefined;
};

export type ItemHistoryRequest = HistoryRequest & {
  /** At most 100. */
  item_ids?: readonly string[] | undefined;
  /** At most 100. */
  legacy_item_ids?: readonly number[] | undefined;
};

export type XpHistoryRequest = HistoryRequest & {
  /** At most 100. */
  xp_ids?: readonly string[] | undefined;
  /** At most 100. */
  legacy_xp_ids?: readonly number[] | undefined;
};
