import type { Connection } from './call-service.ts';
import { callService, encodeSegment } from './call-service.ts';
import type {
  CallOptions,
  LeaveSessionRequest,
  ListPlayerSessionsRequest,
  ReadSessionRequest,
} from './requests.ts';
import { retryCompanions } from './retries.ts';
import type { PlayerSessions, SessionReference } from './wire/companion-types.ts';
import type { Session } from './wire/session-types.ts';

export type SessionRead = {
  /** Null while the ETag in `if_none_match` is current. */
  session: Session | null;
  /** Changes exactly when the session does. Null where a browser hides the header from other origins. */
  etag: string | null;
  requestId: string | null;
};

export const readSession = async (
  connection: Connection,
  { if_none_match, wait = 0, ...name }: ReadSessionRequest,
  options: CallOptions = {},
): Promise<SessionRead> => {
  const { timeoutMs = connection.timeoutMs } = options;
  const call = {
    method: 'GET',
    target: `${toPath(name)}${wait > 0 ? `?wait=${wait}` : ''}`,
    ...(if_none_match !== undefined && { headers: { 'if-none-match': if_none_match } }),
    isAnswer: ({ teams }: { teams?: unknown }) => Array.isArray(teams),
    emptyStatus: 304,
    retryWhen: () => retryCompanions,
  } as const;
  const { body: session, ...facts } = await callService<Session | null>(connection, call, {
    ...options,
    timeoutMs: timeoutMs + wait * 1_000,
  });
  return { session, ...facts };
};

export type ListedSessions = {
  /** Newest seat first. */
  sessions: SessionReference[];
  requestId: string | null;
};

export const listPlayerSessions = async (
  connection: Connection,
  { player_uuid }: ListPlayerSessionsRequest,
  options?: CallOptions,
): Promise<ListedSessions> => {
  const call = {
    method: 'GET',
    target: `/session/v1/player/${encodeSegment('player_uuid', player_uuid)}/session`,
    isAnswer: ({ sessions }: { sessions?: unknown }) => Array.isArray(sessions),
    retryWhen: () => retryCompanions,
  } as const;
  const { body, requestId } = await callService<PlayerSessions>(connection, call, options);
  return { sessions: body.sessions, requestId };
};

export const leaveSession = async (
  connection: Connection,
  { player_uuid, ...name }: LeaveSessionRequest,
  options?: CallOptions,
): Promise<void> => {
  const call = {
    method: 'DELETE',
    target: `${toPath(name)}/player/${encodeSegment('player_uuid', player_uuid)}`,
    isAnswer: () => false,
    emptyStatus: 204,
    retryWhen: () => retryCompanions,
  } as const;
  await callService<null>(connection, call, options);
};

const toPath = ({ type, session_id }: { type: string; session_id: string }): string =>
  `/session/v1/session/${encodeSegment('type', type)}/${encodeSegment('session_id', session_id)}`;
