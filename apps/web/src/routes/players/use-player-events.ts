import type { ApiOutputs } from '../../api/trpc.ts';
import { api, trpc } from '../../api/trpc.ts';
import { usePagedRows } from '../../components/data-table/use-paged-rows.ts';
import type { TimelineEvent } from '../../features/sessions/event-sentence.tsx';

const POLL_MS = 3_000;

type Answer = ApiOutputs['players']['events'] & { told: TimelineEvent[] };

const rowsOf = (page: Answer) => page.told;
const rowId = ({ event_id }: TimelineEvent) => event_id;

/** What happened to one player in all sessions, told as the timeline of a session tells it. */
export const usePlayerEvents = (playerUuid: string) => {
  const input = { player_uuid: playerUuid };
  return usePagedRows({
    queryKey: [...trpc.players.events.pathKey(), input],
    fetchPage: async (cursor, signal): Promise<Answer> => {
      const page = await api.players.events.query({ ...input, cursor }, { signal });
      const told = page.events.map(({ type, session_id, ...event }) => ({
        ...event,
        player_uuid: playerUuid,
        session: { type, session_id },
      }));
      return { ...page, told };
    },
    rowsOf,
    rowId,
    liveMs: POLL_MS,
  });
};
