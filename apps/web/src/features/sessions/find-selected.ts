// Finds the selected sessions as the user sees them, so that only these are ended.
import { api } from '../../api/client.ts';
import type { FoundSession, SessionRow } from './session-rows.ts';
import { readSessionRowId, sessionRowId, toFound } from './session-rows.ts';

/**
 * The selected sessions that run. Rows that the list has not loaded are read. A session that was created again under the
 * same id is another one.
 */
export const findSelected = async (
  ids: readonly string[],
  known: readonly SessionRow[],
): Promise<FoundSession[]> => {
  const rows = new Map(known.map((row) => [sessionRowId(row), row]));
  const found = await Promise.all(
    ids.map((id) => {
      const row = rows.get(id);
      return row ? toFound(row) : readSession(id);
    }),
  );
  return found.filter((session) => session !== undefined);
};

const readSession = async (id: string): Promise<FoundSession | undefined> => {
  const named = readSessionRowId(id);
  if (!named) return undefined;
  const { type, session_id, created } = named;
  const found = await api.sessions.find.query({ type, session_id });
  if (!found || 'unchanged' in found || found.ended) return undefined;
  return found.session.created === created ? toFound(found) : undefined;
};
