import type { ApiOutputs } from '../../api/trpc.ts';
import { api, trpc } from '../../api/trpc.ts';
import { usePagedRows } from '../../components/data-table/use-paged-rows.ts';
import type { TimelineEvent } from '../../features/sessions/event-sentence.tsx';
import type { SessionName } from './live-session.ts';

const POLL_MS = 2_000;

type Answer = ApiOutputs['sessions']['events'];

const rowsOf = (page: Answer): readonly TimelineEvent[] => page.events;
const rowId = ({ event_id }: TimelineEvent) => event_id;

/** The timeline, polled: refused joins and marks of absence leave the ETag as it is. */
export const useSessionEvents = (name: SessionName, isRunning: boolean) =>
  usePagedRows({
    queryKey: [...trpc.sessions.events.pathKey(), name],
    fetchPage: (cursor, signal) => api.sessions.events.query({ ...name, cursor }, { signal }),
    rowsOf,
    rowId,
    liveMs: isRunning ? POLL_MS : undefined,
  });
