// One session, kept fresh by polling: as long as its ETag stays, the service answers next to nothing.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { toApiError } from '../../api/api-error.ts';
import { queryClient } from '../../api/query-client.ts';
import type { ApiOutputs } from '../../api/trpc.ts';
import { api, trpc } from '../../api/trpc.ts';

export type SessionName = { type: string; session_id: string };
export type LiveSession = Exclude<ApiOutputs['sessions']['get'], { unchanged: true }>;
export type Team = LiveSession['session']['teams'][number];
export type SeatedPlayer = Team['players'][number];
export type Instance = NonNullable<LiveSession['session']['instance']>;

const POLL_MS = 1_500;

const keyOf = (name: SessionName, isEnded: boolean) => [
  ...trpc.sessions.get.pathKey(),
  name,
  isEnded,
];

const readSession = async (
  name: SessionName,
  isEnded: boolean,
  signal: AbortSignal,
): Promise<LiveSession> => {
  const known = queryClient.getQueryData<LiveSession>(keyOf(name, isEnded));
  const ended = isEnded || undefined;
  const etag = known?.ended ? undefined : known?.etag;
  const input = { ...name, ended, if_none_match: etag };
  const answer = await api.sessions.get.query(input, { signal });
  if (!('unchanged' in answer)) return answer;
  if (!known) throw new TypeError('The service did not repeat a session that is not known here.');
  const { absent_players: _, ...rest } = known;
  return { ...rest, ...(answer.absent_players && { absent_players: answer.absent_players }) };
};

/** A session that ends while it is looked at is shown as it was at its end. */
const readSessionOrItsEnd = async (name: SessionName, isEnded: boolean, signal: AbortSignal) => {
  try {
    return await readSession(name, isEnded, signal);
  } catch (error) {
    if (isEnded || toApiError(error).code !== 'session_not_found') throw error;
    return await api.sessions.get.query({ ...name, ended: true }, { signal }).then(
      (answer) => answer as LiveSession,
      () => Promise.reject(error),
    );
  }
};

export const useLiveSession = (name: SessionName, isEnded: boolean) =>
  useQuery({
    queryKey: keyOf(name, isEnded),
    queryFn: ({ signal }) => readSessionOrItsEnd(name, isEnded, signal),
    staleTime: 0,
    // Only while the page is visible, which is the library's default.
    refetchInterval: ({ state: { data, error } }) =>
      data?.ended || (error && !data) ? false : POLL_MS,
  });

/** Does something to the session, then shows what came of it at once. */
export const useSessionChange = () => {
  const client = useQueryClient();
  return useMemo(
    () =>
      async <Answer>(change: Promise<Answer>): Promise<Answer> => {
        const answer = await change;
        await client.invalidateQueries({ queryKey: trpc.sessions.pathKey() });
        return answer;
      },
    [client],
  );
};
