// The aggregates that this process has seen last, bounded in bytes. Never trusted: what is decided on one of them counts
// only when a write finds the same version stored, or a look at the version (CHECK_SESSIONS) has found it first.
import { LRUCache } from 'lru-cache';
import { estimateBytes, noteSizeOfDetails, sizeOfDetails } from './session-bytes.ts';
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
  /** How many are remembered, about: one that is kept in both forms counts twice. */
  count(): number;
};

const MAX_CONTESTED = 20_000;
/** Of the bytes: what was used last is kept as the objects that the rules work on, all else packed. */
const OPEN_SHARE = 1 / 8;
/** Of the rest: where the packed sessions are found. */
const INDEX_SHARE = 1 / 5;
/** What finding one takes: its key, its place, and its entry in a map. */
const INDEX_BYTES = 160;

/** With what its details take once they are objects again, so that they need not be measured anew. */
type DetailBytes = number;

export const createSessionMemory = ({
  maxBytes = 48 * 1024 * 1024,
  contestedMs = 2_000,
}: SessionMemoryOptions = {}): SessionMemory => {
  const openBytes = Math.ceil(maxBytes * OPEN_SHARE);
  const indexBytes = (maxBytes - openBytes) * INDEX_SHARE;
  const packed = new TextStore<DetailBytes>(
    Math.floor(maxBytes - openBytes - indexBytes),
    Math.floor(indexBytes / INDEX_BYTES),
  );
  const pack = (session: SessionState): void =>
    packed.set(session.key, packSession(session), sizeOfDetails(session.details));
  const open = new LRUCache<string, SessionState>({
    maxSize: openBytes,
    dispose: (session, key, reason) => {
      if (reason === 'evict' && !packed.has(key)) pack(session);
    },
  });
  const contested = new LRUCache<string, true>({ max: MAX_CONTESTED, ttl: contestedMs });

  /** False for a session that is larger than all that may be open. */
  const keepOpen = (session: SessionState): boolean => {
    const size = estimateBytes(session);
    if (size > openBytes) return false;
    open.set(session.key, session, { size });
    return true;
  };
  const forget = (sessionKey: string): void => {
    open.delete(sessionKey);
    packed.delete(sessionKey);
  };
  const recallPacked = (sessionKey: string): SessionState | undefined => {
    const found = packed.get(sessionKey);
    if (found === undefined) return undefined;
    const session = unpackSession(found.text);
    noteSizeOfDetails(session.details, found.note);
    keepOpen(session);
    return session;
  };
  return {
    recall: (sessionKey) => open.get(sessionKey) ?? recallPacked(sessionKey),
    remember: (session) => {
      if (contested.has(session.key) || open.get(session.key) === session) return;
      forget(session.key);
      if (!keepOpen(session)) pack(session);
    },
    forget,
    contest: (sessionKey) => {
      forget(sessionKey);
      contested.set(sessionKey, true);
    },
    count: () => open.size + packed.size,
  };
};
