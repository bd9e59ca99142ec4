// The body of a request to a receiver, in the form of Standard Webhooks.
import type { StoredEvent } from '../events/index.ts';
import { toEventView } from '../events/index.ts';

export const composeBody = (
  type: 'muster.events' | 'muster.test',
  at: Date,
  events: readonly StoredEvent[],
): string =>
  JSON.stringify({
    type,
    timestamp: at.toISOString(),
    data: { events: events.map(toEventView) },
  });
