// The feed of changes for game backends.
import { boundedList, MAX_WAIT_SECONDS, permits, ShortId, text } from '@muster/contract';
import { z } from 'zod';
import type { EventFeed } from '../events/index.ts';
import { EVENT_KINDS, FeedCursor, toEventView } from '../events/index.ts';
import { decodeCursor, encodeCursor } from './pagination.ts';
import { permittedProcedure, router, toLongPoll } from './trpc.ts';

const EVENTS_PER_PAGE = 1_000;
/** Long enough for the positions of a few dozen nodes of a cluster. */
const MAX_CURSOR_LENGTH = 8_192;

const ListEventsInput = z.object({
  cursor: text(1, MAX_CURSOR_LENGTH).optional().meta({
    description:
      'The `page_meta.cursor` of the page before. Without it, the feed begins with the oldest event.',
  }),
  session_type: ShortId.optional().meta({ description: 'Only events of sessions of this type.' }),
  kinds: boundedList(z.enum(EVENT_KINDS), { min: 1, max: EVENT_KINDS.length })
    .optional()
    .meta({ description: 'Only events of these kinds.' }),
  wait_seconds: z.int().min(0).max(MAX_WAIT_SECONDS).default(0).meta({
    description: 'How long to wait for an event when there is none.',
  }),
});

export const createEventsRouter = (feed: EventFeed) =>
  router({
    list: permittedProcedure('session:view')
      .input(ListEventsInput)
      .query(async ({ ctx, input }) => {
        let { permissions } = ctx.caller;
        const { events, cursor } = await feed.read({
          from: decodeCursor(input.cursor, FeedCursor),
          filter: {
            sessionType: input.session_type,
            kinds: input.kinds,
            maySee: (sandboxId) =>
              permits(permissions, ['sandbox:config:view', 'sandbox:config:edit'], sandboxId),
          },
          pageSize: EVENTS_PER_PAGE,
          waitMs: input.wait_seconds * 1_000,
          longPoll: toLongPoll(ctx, ['session:view'], (caller) => {
            permissions = caller.permissions;
          }),
        });
        return { events: events.map(toEventView), page_meta: { cursor: encodeCursor(cursor) } };
      }),
  });
