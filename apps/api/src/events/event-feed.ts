// The feed of changes: every event at least once, and in order for each session. A reader continues with the cursor of its
// last page. Events become visible once no older transaction is running, since a cursor must not pass an event that commits later.
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import type { LongPoll } from '../flow/index.ts';
import { createSemaphore } from '../flow/index.ts';
import { repeat, ServiceError, timeOfId } from '../platform/index.ts';
import type { FeedEntry, FeedPart, FeedPosition, FeedStore, StoredEvent } from './feed-store.ts';
import type { EventKind } from './outbox-store.ts';

type FeedFilter = {
  /** Only events of sessions of this type. */
  sessionType: string | undefined;
  kinds: readonly EventKind[] | undefined;
  /** Whether the reader may see the edits of a sandbox. The answer may change during a wait. */
  maySee: (sandboxId: string) => boolean;
};

type FeedPage = {
  events: StoredEvent[];
  cursor: FeedCursor;
  /** False when there are further entries already. */
  isEnd: boolean;
};

type Reading = {
  /** Null: from the oldest event. */
  from: FeedCursor | null;
  filter: FeedFilter;
  /** How long to wait for an event, in milliseconds. */
  waitMs: number;
  longPoll: LongPoll;
  /** A page ends with the entry that reaches this number of events. */
  pageSize: number;
};

type PageOptions = Pick<Reading, 'filter' | 'pageSize'>;

type EventFeedOptions = {
  store: FeedStore;
  onFailure: (error: unknown) => void;
  now?: () => Date;
};

const DAY_MS = 24 * 60 * 60_000;
const FEED_DAYS = 7;

/** An entry has the events of one write: usually one to a few dozen. */
const ENTRIES_PER_READ = 50;
/** Reads of one page that finds no event for its filter. */
const MAX_READS = 20;
/** How often a waiting reader reads. */
const POLL_MS = 1_000;
/** Waiting readers that read at once, so that many of them do not take the connections of others. */
const CONCURRENT_POLLS = 2;

const RETENTION_MS = 10 * 60_000;
const ENTRIES_PER_DELETE = 2_000;

const FIRST_ID = '00000000-0000-0000-0000-000000000000';
const START: FeedPosition = { transactionId: 0, entryId: FIRST_ID };

const NodePosition = z.strictObject({
  node: z.int().min(0),
  origin: z.string().max(64),
  transactionId: z.int().min(0),
  entryId: z.uuid(),
});
export const FeedCursor = z.strictObject({
  /** Everything before this time has been read; milliseconds since 1970. */
  at: z.int().min(0),
  nodes: z.array(NodePosition).max(1_000),
});
export type FeedCursor = z.infer<typeof FeedCursor>;

export type EventFeed = ReturnType<typeof createEventFeed>;

export const createEventFeed = ({ store, onFailure, now = () => new Date() }: EventFeedOptions) => {
  const poll = createSemaphore(CONCURRENT_POLLS);

  /** Reads one node until there is an event for the reader, or no further entry. */
  const readNode = async (
    node: number,
    known: FeedCursor['nodes'][number] | undefined,
    { filter, pageSize }: PageOptions,
  ) => {
    let position = known ?? START;
    for (let reads = 1; ; reads += 1) {
      const part = await store.read(node, position, ENTRIES_PER_READ);
      if (known && isForeign(part, known)) throw cursorExpired();
      const { events, last, isCut } = takeEvents(part.entries, filter, pageSize);
      const isEnd = part.entries.length < ENTRIES_PER_READ && !isCut;
      position = isEnd || !last ? { transactionId: part.horizon, entryId: FIRST_ID } : last;
      if (events.length > 0 || isEnd || reads >= MAX_READS) {
        const { transactionId, entryId } = position;
        const next = { node, origin: part.origin, transactionId, entryId };
        const readUntil = isEnd || !last ? now().getTime() : timeOfId(last.entryId);
        return { events, next, readUntil, isEnd };
      }
    }
  };

  const readPage = async (from: FeedCursor | null, options: PageOptions) => {
    const parts = await Promise.all(
      store.nodes.map((node) =>
        readNode(
          node,
          from?.nodes.find((position) => position.node === node),
          options,
        ),
      ),
    );
    const to: FeedCursor = {
      at: Math.max(0, Math.min(...parts.map(({ readUntil }) => readUntil))),
      nodes: parts.map(({ next }) => next),
    };
    const isEnd = parts.every((part) => part.isEnd);
    return { events: parts.flatMap(({ events }) => events), to, isEnd };
  };

  const deleteOld = async (signal: AbortSignal): Promise<void> => {
    const before = new Date(now().getTime() - FEED_DAYS * DAY_MS);
    await store.runAlone(async () => {
      for (let deleted = ENTRIES_PER_DELETE; deleted > 0 && !signal.aborted; ) {
        deleted = await store.deleteEntries(before, ENTRIES_PER_DELETE);
      }
    });
  };

  return {
    /** Call it before the service writes, and after the database is migrated. */
    prepare: async (): Promise<void> => {
      const [node = 0] = store.nodes;
      await store.prepare((await store.read(node, START, 1)).origin);
    },

    /** Errors: `cursor_expired`. */
    read: async ({ from, waitMs, longPoll, ...options }: Reading): Promise<FeedPage> => {
      if (from && now().getTime() - from.at > FEED_DAYS * DAY_MS) throw cursorExpired();
      let page = await readPage(from, options);
      const until = performance.now() + waitMs;
      if (page.events.length === 0 && waitMs > 0) {
        await longPoll(async (signal) => {
          while (page.events.length === 0 && performance.now() < until && !signal.aborted) {
            const ms = Math.min(POLL_MS, until - performance.now());
            // A filter may leave out any number of entries: there is nothing to wait for before the last one.
            if (page.isEnd) await delay(ms, undefined, { signal }).catch(() => {});
            if (!signal.aborted) page = await poll(() => readPage(page.to, options));
          }
        });
      }
      const { to: cursor, isEnd } = page;
      return { events: page.events.filter(toPredicate(options.filter)), cursor, isEnd };
    },

    /** The cursor of a reader who has read every event that is visible now. */
    findEnd: async (): Promise<FeedCursor> => {
      const at = now().getTime();
      const nodes = await Promise.all(
        store.nodes.map(async (node) => {
          const { origin, horizon } = await store.read(node, START, 1);
          return { node, origin, transactionId: horizon, entryId: FIRST_ID };
        }),
      );
      return { at, nodes };
    },

    /** Seconds for which the oldest entry has been waiting for the end of a transaction; 0 without one. */
    measureDelay: async (): Promise<number> => {
      const parts = await Promise.all(store.nodes.map((node) => store.read(node, START, 1)));
      const since = parts.flatMap(({ waitingEntry }) =>
        waitingEntry === null ? [] : timeOfId(waitingEntry),
      );
      return since.length === 0 ? 0 : Math.max(0, (now().getTime() - Math.min(...since)) / 1_000);
    },

    deleteOld,

    /** Deletes old events at intervals. Call the result to stop. */
    start: (): (() => Promise<void>) =>
      repeat(deleteOld, { intervalMs: RETENTION_MS, firstAfterMs: POLL_MS * 60, onFailure }),
  };
};

/** The events for the reader, with the last entry that was examined. */
const takeEvents = (entries: readonly FeedEntry[], filter: FeedFilter, pageSize: number) => {
  const isWanted = toPredicate(filter);
  const events: StoredEvent[] = [];
  for (const [index, entry] of entries.entries()) {
    events.push(...entry.events.filter(isWanted));
    const isCut = index < entries.length - 1;
    if (events.length >= pageSize) return { events, last: entry, isCut };
  }
  return { events, last: entries.at(-1), isCut: false };
};

/** Transaction ids of another server, or of one that was restored to an earlier moment. */
const isForeign = (part: FeedPart, known: FeedCursor['nodes'][number]): boolean =>
  part.origin !== known.origin || known.transactionId > part.horizon;

const toPredicate =
  ({ sessionType, kinds, maySee }: FeedFilter) =>
  ({ kind, type, sandbox_id: sandboxId }: StoredEvent): boolean => {
    if (kinds && !kinds.some((wanted) => wanted === kind)) return false;
    if (sessionType !== undefined && type !== sessionType) return false;
    return sandboxId === undefined || maySee(sandboxId);
  };

const cursorExpired = (): ServiceError => new ServiceError('cursor_expired');
