// One session, with a long poll that shows each change as it is made.
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

/** Absences do not change the ETag, so the wait is short: the response contains them. */
const WAIT_SECONDS = 5;
/** The shortest time between two responses to one caller. */
const WATCH_PAUSE_MS = 250;
const WATCH_RETRY_MS = 10_000;
const POLL_MS = 1_500;

const keyOf = (name: SessionName) => [...trpc.sessions.find.pathKey(), name];

type Answer = ApiOutputs['sessions']['find'];

const readSession = async (name: SessionName, signal: AbortSignal): Promise<LiveSession> =>
  withKnown(name, await api.sessions.find.query(name, { signal }));

/** Keeps the known state of an unchanged session. */
const withKnown = (name: SessionName, answer: Answer): LiveSession => {
  if (!answer) throw toFailure('session_not_found');
  if (!('unchanged' in answer)) return answer;
  const known = queryClient.getQueryData<LiveSession>(keyOf(name));
  if (!known) throw new TypeError('The service did not repeat a session that is not known here.');
  const { absent_players: _, ...rest } = known;
  return { ...rest, ...(answer.absent_players && { absent_players: answer.absent_players }) };
};

/** Waits for a change and shows it. */
const watchSession = async (name: SessionName, signal: AbortSignal): Promise<null> => {
  const known = queryClient.getQueryData<LiveSession>(keyOf(name));
  const input = { ...name, if_none_match: known?.etag, wait_seconds: WAIT_SECONDS };
  const answer = await api.sessions.watch.query(input, { signal });
  queryClient.setQueryData<LiveSession>(keyOf(name), withKnown(name, answer));
  return null;
};

/**
 * Keeps showing the last state of a session that ends while its page is open. While it cannot be watched, as by a service of an
 * earlier version, it is polled. `isStale`: the newest state could not be read.
 */
export const useLiveSession = (name: SessionName) => {
  // Outside of SESSION_KEYS: a change by this page does not wait for the next one.
  const watchKey = ['watched session', name];
  const isWatched = () => queryClient.getQueryState(watchKey)?.status !== 'error';
  const query = useQuery({
    queryKey: keyOf(name),
    queryFn: ({ signal }) => readSession(name, signal),
    staleTime: 0,
    refetchInterval: ({ state: { data } }) => (isWatched() || data?.ended ? false : POLL_MS),
  });
  const watched = useQuery({
    queryKey: watchKey,
    queryFn: ({ signal }) => watchSession(name, signal),
    enabled: query.data !== undefined && !query.data.ended,
    // The library watches only while the page is visible.
    refetchInterval: ({ state }) => (state.status === 'error' ? WATCH_RETRY_MS : WATCH_PAUSE_MS),
  });
  const isRetrying = watched.failureCount > 0 && !watched.isError;
  return { query, isStale: isRetrying || query.failureCount > 0 || query.isError };
};

/** The queries that a change of any session makes stale. */
export const SESSION_KEYS = [trpc.sessions.pathKey()];

const EVENTS_POLL_MS = 2_000;

const rowsOf = (page: ApiOutputs['sessions']['events']): readonly TimelineEvent[] => page.events;
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
