// The rows of the list of sessions, and their ids, which name the selected ones in the URL.
import type { ApiOutputs } from '../../api/client.ts';

export type SessionRow = ApiOutputs['sessions']['list']['sessions'][number];

/**
 * An ended session can have the same id as a newer one, so the end time distinguishes rows. Encoded, because a comma
 * separates the ids of selected rows.
 */
export const sessionRowId = ({ session, ended }: SessionRow): string =>
  encodeURIComponent(JSON.stringify([session.type, session.session_id, ended ?? session.created]));

export type NamedSession = { type: string; session_id: string };

/** Undefined for an id that this app has not written. */
export const readSessionRowId = (id: string): NamedSession | undefined => {
  try {
    const [type, session_id] = JSON.parse(decodeURIComponent(id)) as unknown[];
    if (typeof type !== 'string' || typeof session_id !== 'string') return undefined;
    return { type, session_id };
  } catch {
    return undefined;
  }
};
