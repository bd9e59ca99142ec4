// The rows of the list of sessions, and their ids, which name the selected ones in the URL.
import type { ApiOutputs } from '../../api/client.ts';

export type SessionRow = ApiOutputs['sessions']['list']['sessions'][number];

/**
 * An ended session can have the same id as a newer one, so the end time distinguishes rows. Encoded, because a comma
 * separates the ids of selected rows.
 */
export const sessionRowId = ({ session, ended }: SessionRow): string =>
  encodeURIComponent(JSON.stringify([session.type, session.session_id, ended ?? session.created]));

type NamedSession = { type: string; session_id: string; created: string };

/** Undefined for an id that this app has not written. */
export const readSessionRowId = (id: string): NamedSession | undefined => {
  try {
    const [type, session_id, created] = JSON.parse(decodeURIComponent(id)) as unknown[];
    if (typeof type !== 'string' || typeof session_id !== 'string') return undefined;
    return typeof created === 'string' ? { type, session_id, created } : undefined;
  } catch {
    return undefined;
  }
};

/** What the dialogs need of a running session. Its ETag changes when a player joins or leaves. */
export type FoundSession = {
  type: string;
  session_id: string;
  etag: string;
  seats: number;
  capacity: number;
  lastActivity: string;
};

export const toFound = ({
  session,
  etag,
  last_activity_at,
}: Pick<SessionRow, 'session' | 'etag' | 'last_activity_at'>): FoundSession => ({
  type: session.type,
  session_id: session.session_id,
  etag,
  seats: session.teams.reduce((sum, { players }) => sum + players.length, 0),
  capacity: session.teams.reduce((sum, { max_size }) => sum + max_size, 0),
  lastActivity: last_activity_at ?? session.created,
});
