// One session, polled with its ETag, so that the response is small while nothing changes.
import { useQuery } from '@tanstack/react-query';
import type { ApiOutputs } from '../../api/client.ts';
import { api, queryClient, trpc } from '../../api/client.ts';
import { toFailure } from '../../api/errors.ts';
import { usePagedRows } from '../../ui/table/paged-rows.ts';
import type { TimelineEvent } from './event-sentence.tsx';

export type SessionName = { type: string; session_id: string };
export const nameOf = ({ type, session_id }: SessionName): SessionName => ({ type, session_id });

export type LiveSession = Exclude<ApiOutputs['sessions']['get'], { unchanged: true }>;
export type Team = LiveSession['session']['teams'][number];
export type SeatedPlayer = Team['players'][number];
export type Instance = NonNullable<LiveSession['session']['instance']>;

const SESSION_POLL_MS = 1_500;

const keyOf = (name: SessionName) => [...trpc.sessions.find.pathKey(), name];

/** Keeps showing the last state of a session that ends while its page is open. */
const readSession = async (name: SessionName, signal: AbortSignal): Promise<LiveSession> => {
  const known = queryClient.getQueryData<LiveSession>(keyOf(name));
  const answer = await api.sessions.find.query({ ...name, if_none_match: known?.etag }, { signal });
  if (!answer) throw toFailure('session_not_found');
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
    // The library polls only while the page is visible.
    refetchInterval: ({ state: { data, error } }) =>
      data?.ended || (error && !data) ? false : SESSION_POLL_MS,
  });

/** The queries that a change of any session makes stale. */
export const SESSION_KEYS = [trpc.sessions.pathKey()];

const EVENTS_POLL_MS = 2_000;

type Answer = ApiOutputs['sessions']['events'];

const rowsOf = (page: Answer): readonly TimelineEvent[] => page.events;
const rowId = ({ event_id }: TimelineEvent) => event_id;

/** The timeline is polled separately, because rejected joins and absences do not change the ETag. */
export const useSessionEvents = (name: SessionName, isRunning: boolean) =>
  usePagedRows({
    queryKey: [...trpc.sessions.events.pathKey(), name],
    fetchPage: (cursor, signal) => api.sessions.events.query({ ...name, cursor }, { signal }),
    rowsOf,
    rowId,
    liveMs: isRunning ? EVENTS_POLL_MS : undefined,
  });
