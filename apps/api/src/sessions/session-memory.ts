// The aggregates that this process has seen last, bounded in bytes. Never trusted: what is decided on one of them counts
// only when a write finds the same version stored, or a look at the version (CHECK_SESSIONS) has found it first.
//
// All of them are packed. Objects that live for a second are what the garbage collector is worst at: it copies them twice, and then finds
// them only by going through the whole heap. To pack and to unpack a session costs less.
import { LRUCache } from 'lru-cache';
import { packSession, unpackSession } from './session-packing.ts';
import type { SessionState } from './session-state.ts';
import { TextStore } from './text-store.ts';

export type SessionMemoryOptions = {
  /** About how much memory the aggregates may take. */
  maxBytes?: number;
  /** For how long a session is read afresh after another process has changed it. */
  contestedMs?: number;
};

export type SessionMemory = {
  recall(sessionKey: string): SessionState | undefined;
  remember(session: SessionState): void;
  forget(sessionKey: string): void;
  /** Another process changes the session, too: what is remembered of it would be wrong again and again. */
  contest(sessionKey: string): void;
  /** How many are remembered. */
  count(): number;
};

const MAX_CONTESTED = 20_000;
/** Of the bytes: where the packed sessions are found. */
const INDEX_SHARE = 1 / 5;
/** What finding one takes: its key, its place, and its entry in a map. */
const INDEX_BYTES = 160;

export const createSessionMemory = ({
  maxBytes = 44 * 1024 * 1024,
  contestedMs = 2_000,
}: SessionMemoryOptions = {}): SessionMemory => {
  const indexBytes = maxBytes * INDEX_SHARE;
  const packed = new TextStore(
    Math.floor(maxBytes - indexBytes),
    Math.floor(indexBytes / INDEX_BYTES),
  );
  const contested = new LRUCache<string, true>({ max: MAX_CONTESTED, ttl: contestedMs });
  /** A change that memory alone cannot decide looks twice, and a session that many join is looked at again and again. */
  let last: SessionState | undefined;

  const forget = (sessionKey: string): void => {
    packed.delete(sessionKey);
    if (last?.key === sessionKey) last = undefined;
  };
  const unpack = (sessionKey: string): SessionState | undefined => {
    const text = packed.get(sessionKey);
    if (text === undefined) return undefined;
    last = unpackSession(text);
    return last;
  };
  return {
    recall: (sessionKey) => (last?.key === sessionKey ? last : unpack(sessionKey)),
    remember: (session) => {
      if (contested.has(session.key)) return;
      last = packed.set(session.key, packSession(session)) ? session : undefined;
    },
    forget,
    contest: (sessionKey) => {
      forget(sessionKey);
      contested.set(sessionKey, true);
    },
    count: () => packed.size,
  };
};
