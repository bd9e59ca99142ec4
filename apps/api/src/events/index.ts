// The feed of changes: an outbox that the writes of sessions and catalogues fill, and its reader.

export { announceChangeSet, type FailedStep } from './change-set-events.ts';
export { createEventFeed, type EventFeed, FeedCursor } from './event-feed.ts';
export { toEventView } from './event-view.ts';
export { createFeedStore, findNodes, type StoredEvent } from './feed-store.ts';
export {
  appendToOutbox,
  EVENT_KINDS,
  type EventKind,
  type SessionEventKind,
} from './outbox-store.ts';
