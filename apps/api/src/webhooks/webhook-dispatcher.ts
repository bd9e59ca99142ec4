// Sends the events of the feed, and audit records, to webhooks: at least once, in order for each session. One process dispatches for
// all. The database has the cursors, the deliveries and the leases, so that another process can continue.
import { setTimeout as delay } from 'node:timers/promises';
import { repeat, ServiceError } from '../platform/index.ts';
import { isSuccess } from './dispatch-rules.ts';
import type {
  ClaimedDelivery,
  DeliveryResult,
  DispatchStore,
  SourceStep,
} from './dispatch-store.ts';
import { composeBody } from './webhook-body.ts';
import { IN_FLIGHT } from './webhook-limits.ts';
import type { SecretBox } from './webhook-secrets.ts';
import { openActive } from './webhook-secrets.ts';
import type { SendWebhook } from './webhook-sender.ts';
import type { ChooseSource, SourceCursor, WebhookSource } from './webhook-sources.ts';
import type { EndpointRow } from './webhook-views.ts';

type DispatcherOptions = {
  store: DispatchStore;
  sourceOf: ChooseSource;
  secrets: SecretBox;
  send: SendWebhook;
  onFailure: (error: unknown) => void;
  pollMs?: number;
};

/** How often the sources are read, and another process tries to take over. */
const POLL_MS = 1_000;
/** Requests that run when the process stops may end within this time. */
const GRACE_MS = 3_000;
/** An idle cursor is stored as often. */
const CURSOR_MS = 60_000;
const CLEANUP_MS = 60_000;

/** What this process knows of an endpoint. */
type EndpointState = {
  inFlight: Set<Promise<void>>;
  results: DeliveryResult[];
  position: ReadPosition | null;
  /** Whether every due delivery is being sent. Otherwise there is no use in further events. */
  isDrained: boolean;
  /** Attempts since the last one that succeeded. */
  failures: number;
  /** When the last step for it began. */
  steppedAt: number;
};

/** A receiver that only fails gets a few requests each time the source is read, which costs next to nothing. */
const isPaused = ({ failures }: EndpointState): boolean => failures >= IN_FLIGHT;

/** Where this process continues to read for an endpoint, as long as the endpoint has this version of its cursor. */
type ReadPosition = { cursorVersion: number; cursor: SourceCursor; isEnd: boolean; at: number };

export const createWebhookDispatcher = (options: DispatcherOptions) => {
  const { store, sourceOf, secrets, send, onFailure, pollMs = POLL_MS } = options;

  /** Dispatches until the signal, or until the lock is lost. */
  const dispatch = async (confirm: () => Promise<unknown>, signal: AbortSignal): Promise<void> => {
    const sending = new AbortController();
    const states = new Map<string, EndpointState>();
    const stateOf = (endpointId: string): EndpointState => {
      const state = states.get(endpointId) ?? {
        inFlight: new Set(),
        results: [],
        position: null,
        isDrained: true,
        failures: 0,
        steppedAt: Number.NEGATIVE_INFINITY,
      };
      states.set(endpointId, state);
      return state;
    };
    const begin = (endpoint: EndpointRow, signing: string[], delivery: ClaimedDelivery) => {
      const state = stateOf(endpoint.endpointId);
      const { inFlight, results } = state;
      const { deliveryId: id, events, createdAt } = delivery;
      const body = composeBody('muster.events', createdAt, events);
      const message = { url: endpoint.url, id, secrets: signing, body };
      const running = send(message, sending.signal).then((attempt) => {
        inFlight.delete(running);
        state.failures = isSuccess(attempt.statusCode) ? 0 : state.failures + 1;
        // The outcome of an aborted request is unknown. Its lease ends, and it is sent again.
        if (!sending.signal.aborted) results.push({ delivery, attempt });
      });
      inFlight.add(running);
    };

    /** One step for an endpoint. Returns whether there is more to read at once. */
    const step = async (endpoint: EndpointRow, now: Date): Promise<boolean> => {
      const { endpointId } = endpoint;
      const state = stateOf(endpointId);
      if (isPaused(state) && performance.now() - state.steppedAt < pollMs) return false;
      state.steppedAt = performance.now();
      const signing = openSecrets(secrets, endpoint, now);
      if (!signing) {
        await store.disable(endpointId, 'secret_unreadable', now);
        return false;
      }
      const source = sourceOf(endpoint.kinds);
      const { page, position } = await readSource(source, endpoint, state, pollMs);
      const results = [...state.results];
      let { pending } = endpoint;
      if (!page) state.position = position;
      if (page || results.length > 0 || pending > 0 || !state.isDrained) {
        const free = IN_FLIGHT - state.inFlight.size;
        const exchange = { now, results, page, free };
        const exchanged = await store.exchange(endpointId, exchange);
        const { claimed, cursorVersion } = exchanged;
        pending = exchanged.pending;
        state.results.splice(0, results.length);
        state.isDrained = claimed.length < free;
        // Events that were not stored are read again.
        if (page)
          state.position = position && cursorVersion ? { ...position, cursorVersion } : null;
        for (const delivery of claimed) begin(endpoint, signing, delivery);
      }
      const { maxPending } = source;
      const isBehind = pending >= maxPending || !state.isDrained || isPaused(state);
      return !isBehind && state.position?.isEnd === false;
    };

    /** Stores the results of endpoints that have been disabled since. */
    const storeResults = async (enabled: readonly EndpointRow[], now: Date): Promise<void> => {
      const known = new Set(enabled.map(({ endpointId }) => endpointId));
      for (const [endpointId, { results }] of states) {
        if (known.has(endpointId) || results.length === 0) continue;
        const stored = [...results];
        await store.exchange(endpointId, { now, results: stored, page: null, free: 0 });
        results.splice(0, stored.length);
      }
    };

    let cleanedAt = Number.NEGATIVE_INFINITY;
    try {
      while (!signal.aborted) {
        await confirm();
        const now = await store.readClock();
        let isBusy = false;
        const enabled = await store.listEnabled();
        for (const endpoint of enabled) {
          // A failure of one endpoint does not stop the others. Without the database, the next step ends the work.
          isBusy = (await step(endpoint, now).catch(onFailure)) || isBusy;
        }
        await storeResults(enabled, now);
        if (performance.now() - cleanedAt > CLEANUP_MS && (await store.deleteOld(now))) {
          cleanedAt = performance.now();
        }
        if (!isBusy) await waitForWork(states, signal, pollMs);
      }
      const running = [...states.values()].flatMap(({ inFlight }) => [...inFlight]);
      await Promise.race([Promise.all(running), delay(GRACE_MS, undefined, { ref: false })]);
      await storeResults([], await store.readClock());
    } finally {
      sending.abort();
    }
  };

  const run = (signal: AbortSignal = new AbortController().signal) =>
    store.runAlone((confirm) => dispatch(confirm, signal));

  return {
    /** Dispatches until the signal. Resolves with false at once when another process does. */
    run,
    /** Dispatches while no other process does. The result stops it. */
    start: (): (() => Promise<void>) => repeat(run, { intervalMs: pollMs, onFailure }),
  };
};

const openSecrets = (box: SecretBox, endpoint: EndpointRow, now: Date): string[] | null => {
  try {
    return openActive(box, endpoint, now);
  } catch {
    return null;
  }
};

type SourceRead = { page: SourceStep | null; position: ReadPosition | null };

/** Reads the next page for an endpoint. The page is null when there is nothing to store. */
const readSource = async (
  source: WebhookSource,
  endpoint: EndpointRow,
  { position: last, isDrained }: EndpointState,
  pollMs: number,
): Promise<SourceRead> => {
  const { cursorVersion, pending } = endpoint;
  const known = last?.cursorVersion === cursorVersion ? last : null;
  const at = performance.now();
  const isRecent = known?.isEnd && at - known.at < pollMs;
  if (pending >= source.maxPending || !isDrained || isRecent)
    return { page: null, position: known };
  const stored = endpoint.cursor as SourceCursor | null;
  const from = known?.cursor ?? stored;
  try {
    const { events, cursor, isEnd } = await source.read(endpoint, from);
    const position = { cursorVersion, cursor, isEnd, at };
    const isStale = cursor.at - (stored?.at ?? 0) > CURSOR_MS;
    if (events.length === 0 && !isStale) return { page: null, position };
    return { page: { cursorVersion, events, cursor }, position };
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'cursor_expired' || !from) throw error;
    const readFrom = new Date(Math.max(endpoint.readFrom.getTime(), from.at - source.overlapMs));
    return { page: { cursorVersion, events: [], cursor: null, readFrom }, position: null };
  }
};

const waitForWork = async (
  states: ReadonlyMap<string, EndpointState>,
  signal: AbortSignal,
  pollMs: number,
): Promise<void> => {
  const active = [...states.values()].filter((state) => !isPaused(state));
  if (active.some(({ results }) => results.length > 0)) return;
  const woken = new AbortController();
  const pause = delay(pollMs, undefined, { signal: AbortSignal.any([signal, woken.signal]) });
  const running = active.flatMap(({ inFlight }) => [...inFlight]);
  await Promise.race([pause.catch(() => {}), ...running]);
  woken.abort();
};
