// Where the events of webhooks come from: the feed, or the audit trail. Each webhook reads one of them, with a cursor of its own.
import { z } from 'zod';
import type { EventFeed, EventKind, StoredEvent } from '../events/index.ts';
import { EVENT_KINDS, FeedCursor } from '../events/index.ts';
import { ServiceError } from '../platform/index.ts';
import { EVENTS_PER_STEP, MAX_PENDING, MAX_PENDING_AUDIT } from './webhook-limits.ts';
import type { EndpointRow } from './webhook-views.ts';

/** The kind of every event that has an audit record. It is not in the feed. */
export const AUDIT_KIND = 'audit_recorded';
export const WEBHOOK_KINDS = [...EVENT_KINDS, AUDIT_KIND] as const;

/** A cursor as it is stored. Only its source knows the other members. */
export type SourceCursor = {
  /** Everything before this time has been read, except in the overlap of the source; milliseconds since 1970. */
  at: number;
};

type SourcePage = {
  events: StoredEvent[];
  cursor: SourceCursor;
  /** False when there are further events already. */
  isEnd: boolean;
};

export type WebhookSource = {
  /** The cursor of a reader who has read everything that is visible now. */
  findEnd: () => Promise<SourceCursor>;
  /** Null: from the oldest event, or from `readFrom` on. Errors: `cursor_expired`. */
  read: (endpoint: EndpointRow, from: SourceCursor | null) => Promise<SourcePage>;
  /** With as many pending deliveries, nothing is read. */
  maxPending: number;
  /** How far before a lost position events are sent again, since their transactions may have committed after it. */
  overlapMs: number;
};

/** Of a webhook with these kinds. */
export type ChooseSource = (kinds: readonly string[]) => WebhookSource;

export const sendsAudit = (kinds: readonly string[]): boolean => kinds.includes(AUDIT_KIND);

/** Errors: input_invalid. */
export const checkKinds = (kinds: readonly string[], before: readonly string[] = kinds): void => {
  const refuse = (desc: string) => new ServiceError('input_invalid', { desc, place: 'kinds' });
  if (sendsAudit(kinds) && kinds.length > 1) {
    throw refuse('A webhook for audit records has no other kinds: create another webhook.');
  }
  if (sendsAudit(kinds) !== sendsAudit(before)) {
    throw refuse('A webhook cannot change between events and audit records: create another one.');
  }
};

export const createFeedSource = (feed: Pick<EventFeed, 'read' | 'findEnd'>): WebhookSource => ({
  findEnd: feed.findEnd,
  read: ({ kinds }, from) =>
    feed.read({
      from: from && FeedCursor.parse(from),
      filter: {
        sessionType: undefined,
        kinds: kinds as EventKind[],
        maySee: () => true,
      },
      pageSize: EVENTS_PER_STEP,
      waitMs: 0,
      longPoll: async () => ({ isCut: true }),
    }),
  maxPending: MAX_PENDING,
  overlapMs: 5 * 60_000,
});

/** The audit trail in the order in which its records became visible. */
export type AuditTrail = {
  findEnd: () => Promise<string>;
  /** The records after the position, none from before `from`. Errors: `cursor_expired`. */
  read: (position: string | undefined, from: Date) => Promise<AuditPage>;
};

type AuditPage = {
  records: AuditRecord[];
  cursor: string;
  hasMore: boolean;
  /** When the last record that was read was made, in milliseconds since 1970. Undefined when it is not known yet. */
  readUntil: number | undefined;
};
type AuditRecord = { audit_id: string; occurred_at: string; account_id: string };

const AuditCursor = z.strictObject({
  at: z.int().min(0),
  position: z.string(),
});
type AuditCursor = z.infer<typeof AuditCursor>;

export const createAuditSource = (trail: AuditTrail): WebhookSource => ({
  findEnd: async (): Promise<AuditCursor> => {
    const at = Date.now();
    return { at, position: await trail.findEnd() };
  },
  read: async ({ readFrom }, from) => {
    const known = from && AuditCursor.parse(from);
    const page = await trail.read(known?.position, readFrom);
    const cursor: AuditCursor = {
      at: page.readUntil ?? known?.at ?? 0,
      position: page.cursor,
    };
    return { events: page.records.map(toEvent), cursor, isEnd: !page.hasMore };
  },
  // The trail keeps its records longer than deliveries are kept, so only one page of them is stored.
  maxPending: MAX_PENDING_AUDIT,
  overlapMs: 60 * 60_000,
});

const toEvent = (record: AuditRecord): StoredEvent => ({
  event_id: record.audit_id,
  occurred_at: record.occurred_at,
  kind: AUDIT_KIND,
  account_id: record.account_id,
  detail: record,
});
