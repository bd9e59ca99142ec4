import type { Connection } from './call-service.ts';
import { callService, encodeQuery, encodeSegment } from './call-service.ts';
import type { CallOptions, JoinByPlatformSessionRequest } from './requests.ts';
import { retryJoins } from './retries.ts';
import type { Session } from './wire/session-types.ts';

export type Joined = {
  session: Session;
  /** Changes exactly when the session does. Null where a browser hides the header from other origins. */
  etag: string | null;
  requestId: string | null;
};

export const joinByPlatformSession = async (
  connection: Connection,
  { player_id, body, ...path }: JoinByPlatformSessionRequest,
  options?: CallOptions,
): Promise<Joined> => {
  const call = {
    method: 'POST',
    target: toPath(path) + encodeQuery({ player_id }),
    body,
    isAnswer: ({ teams }: { teams?: unknown }) => Array.isArray(teams),
    retryWhen: ({ joinCodes }: { joinCodes: readonly string[] }) => retryJoins(joinCodes),
  } as const;
  const { body: session, ...facts } = await callService<Session>(connection, call, options);
  return { session, ...facts };
};

type JoinPath = Omit<JoinByPlatformSessionRequest, 'player_id' | 'body'>;

const toPath = ({ platform, platform_session_id_base64, player_uuid }: JoinPath): string =>
  [
    '/session/v1/platform',
    encodeSegment('platform', platform),
    'platform-session',
    encodeSegment('platform_session_id_base64', platform_session_id_base64),
    'player',
    encodeSegment('player_uuid', player_uuid),
  ].join('/');
