// One session, kept fresh by polling: as long as its ETag stays, the service answers next to nothing.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { refuse } from '../../api/api-error.ts';
import { queryClient } from '../../api/query-client.ts';
import type { ApiOutputs } from '../../api/trpc.ts';
import { api, trpc } from '../../api/trpc.ts';

export type SessionName = { type: string; session_id: string };
export type LiveSession = Exclude<ApiOutputs['sessions']['get'], { unchanged: true }>;
export type Team = LiveSession['session']['teams'][number];
export type SeatedPlayer = Team['players'][number];
export type Instance = NonNullable<LiveSession['session']['instance']>;

const POLL_MS = 1_500;

const keyOf = (name: SessionName) => [...trpc.sessions.find.pathKey(), name];

/** A session that ends while it is looked at is shown as it was at its end. */
const readSession = async (name: SessionName, signal: AbortSignal): Promise<LiveSession> => {
  const known = queryClient.getQueryData<LiveSession>(keyOf(name));
  const answer = await api.sessions.find.query({ ...name, if_none_match: known?.etag }, { signal });
  if (!answer) throw refuse('session_not_found');
  if (!('unchanged' in answer)) return answer;
  if (!known) throw new TypeError('The service did not repeat a session that is not known here.');
  const { absent_players: _, ...rest } = known;
  return { ...rest, ...(answer.absent_players && { absent_players: answer.absent_players }) };
};

export const useLiveSession = (name: SessionName) =>
  useQuery({
    queryKey: keyOf(name),
    queryFn: ({ signal }) => readSession(name, signal),
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
