// The feed of changes.
import { z } from 'zod';
import type { ProcedureReference } from './procedure.ts';
import { Count, Id, Time } from './procedure.ts';

const FeedEvent = z
  .strictObject({
    event_id: Id,
    occurred_at: Time,
    kind: z.string().meta({
      description: 'Such as `player_joined` or `catalogue_edited`. Later versions may add kinds.',
    }),
    account_id: z.string(),
    type: z.string().optional().meta({ description: 'The type of the session.' }),
    session_id: z.string().optional(),
    session_version: z.int().min(1).optional().meta({
      description:
        'The version of the session that the event created. Absent when the session did not change.',
    }),
    player_uuid: Id.optional(),
    detail: z.record(z.string(), z.unknown()).optional(),
    sandbox_id: Id.optional(),
    transaction_id: Id.optional().meta({
      description: 'The transaction of the edit. All its versions have this id.',
    }),
    items: Count.optional().meta({ description: 'New versions of Items.' }),
    xp: Count.optional().meta({ description: 'New versions of Xp tables.' }),
    change_set_id: Id.optional(),
    webhook_id: Id.optional(),
  })
  .meta({
    id: 'FeedEvent',
    description:
      'A change of a session, with `type` and `session_id`, an edit of a sandbox, with `sandbox_id`, an applied or failed change set, with `change_set_id`, or a disabled webhook, with `webhook_id`.',
  });

export const EVENT_PROCEDURES = {
  'events.list': {
    summary: 'Read the feed of changes',
    description:
      'Returns every event at least once, and in order for each session. Pass `page_meta.cursor` to continue, even after a page without events: the cursor moves past events that the filters leave out. Events are kept for 7 days. Only callers who may view a sandbox receive its edits. Refused joins are those of the timeline, and may come after later events. With `wait_seconds` it is a long poll, but not in a batch.',
    output: z.strictObject({
      events: z.array(FeedEvent),
      page_meta: z.strictObject({ cursor: z.string() }).meta({ id: 'FeedPageMeta' }),
    }),
    errors: ['cursor_expired'],
  },
} satisfies Record<string, ProcedureReference>;
