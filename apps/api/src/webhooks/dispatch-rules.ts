// How events become deliveries, and when a failed one is sent again.
import type { StoredEvent } from '../events/index.ts';
import { EVENTS_PER_DELIVERY } from './webhook-limits.ts';
import { AUDIT_KIND } from './webhook-sources.ts';

/** Events of one subject in their order, at most as many as one delivery has. */
type EventGroup = { subject: string; events: StoredEvent[] };

/**
 * Groups events by what they are about: deliveries of one subject are sent in order. `rooms` are the events that a pending
 * delivery of the subject still takes; its first group has at most as many.
 */
export const groupEvents = (
  events: readonly StoredEvent[],
  rooms: ReadonlyMap<string, number> = new Map(),
): EventGroup[] => {
  const groups: EventGroup[] = [];
  const last = new Map<string, { group: EventGroup; room: number }>();
  for (const event of events) {
    const subject = subjectOf(event);
    let open = last.get(subject);
    if (!open || open.room === 0) {
      const isFirst = open === undefined;
      const room = (isFirst && rooms.get(subject)) || EVENTS_PER_DELIVERY;
      open = { group: { subject, events: [] }, room };
      last.set(subject, open);
      groups.push(open.group);
    }
    open.group.events.push(event);
    open.room -= 1;
  }
  return groups;
};

/** JSON of the ids of a session, a sandbox or a webhook. The audit trail is one subject. */
export const subjectOf = ({
  kind,
  type,
  session_id,
  sandbox_id,
  webhook_id,
}: StoredEvent): string => {
  if (kind === AUDIT_KIND) return JSON.stringify({ stream: 'audit' });
  return JSON.stringify(
    session_id === undefined ? { sandbox_id, webhook_id } : { type, session_id },
  );
};

const FIRST_DELAY_MS = 5_000;
const LONGEST_DELAY_MS = 60 * 60_000;

/** Doubles with each attempt up to an hour. Jitter spreads the retries of many sessions. */
export const retryDelayMs = (attempts: number, askedMs = 0, random = Math.random()): number => {
  const exponential = FIRST_DELAY_MS * 2 ** Math.min(attempts - 1, 20);
  const longest = Math.min(exponential, LONGEST_DELAY_MS);
  return Math.max(longest * (0.8 + 0.4 * random), Math.min(askedMs, LONGEST_DELAY_MS));
};

export const isSuccess = (statusCode: number | undefined): boolean =>
  statusCode !== undefined && statusCode >= 200 && statusCode < 300;
