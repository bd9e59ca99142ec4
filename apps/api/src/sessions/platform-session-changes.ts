// Attaching platform sessions to a session and taking them away, as pure functions on the aggregate.
import { isDeepStrictEqual } from 'node:util';
import type { PlatformSessionInput } from '@muster/contract';
import type { ChangeResult } from './change-result.ts';
import { changed } from './change-result.ts';
import { platformSessionDigest } from './session-key.ts';
import type { PlatformSessionState, SessionState } from './session-state.ts';

export const toPlatformSessionState = (input: PlatformSessionInput): PlatformSessionState => ({
  digest: platformSessionDigest(input.platform, input.platform_session_id_base64),
  platform: input.platform,
  type: input.platform_session_type,
  idBase64: input.platform_session_id_base64,
  customData: input.custom_data,
});

export const addPlatformSession = (
  session: SessionState,
  input: PlatformSessionInput,
): ChangeResult | null => {
  const added = toPlatformSessionState(input);
  const existing = session.platformSessions.find(({ digest }) => digest === added.digest);
  if (existing && isDeepStrictEqual(existing, added)) return null;
  const others = session.platformSessions.filter(({ digest }) => digest !== added.digest);
  const detail = { platform: added.platform };
  return changed(
    { ...session, platformSessions: [...others, added] },
    { kind: 'platform_session_added', detail },
  );
};

/** Removing one that is not there changes nothing: repeating it is safe. */
export const removePlatformSession = (
  session: SessionState,
  { platform, digest }: Pick<PlatformSessionState, 'platform' | 'digest'>,
): ChangeResult | null => {
  const platformSessions = session.platformSessions.filter((child) => child.digest !== digest);
  if (platformSessions.length === session.platformSessions.length) return null;
  const detail = { platform };
  return changed({ ...session, platformSessions }, { kind: 'platform_session_removed', detail });
};
