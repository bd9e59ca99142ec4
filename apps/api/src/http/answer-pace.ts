// How soon refusals, and the joins of one player, are answered. Each takes the process some tenth of a millisecond, and whoever asks without
// end, with many requests at once, lets every join wait for several times as long. So the joins and refusals of one player, and the refusals
// of everybody at one address who shows no credential that works or signs in, are answered later and later when there are too many. Nobody
// else is delayed, nor is a game server that joins for its players.
import {
  isAuthenticationFailure,
  JOIN_FOR_ANY,
  permitsSomewhere,
  READ_HISTORY,
} from '@muster/contract';
import type { Request, Response } from 'express';
import { LRUCache } from 'lru-cache';
import type { Caller } from '../auth/index.ts';
import { ACCOUNTS_PATH, isIndividual, toNetwork } from '../auth/index.ts';
import { ServiceError } from '../platform/index.ts';
import type { Admission } from './admission.ts';
import type { RequestLocals } from './request.ts';
import { localsOf, RequestAbortedError } from './request.ts';

/**
 * An answer delays those after it by so much: 200 a second of a player, 1,000 of an address, which many may share, and 200 of it
 * to refused sign-ins, each of which has read the database three times.
 */
const PLAYER_MS = 5;
const ADDRESS_MS = 1;
const SIGN_IN_MS = 5;
/** What it read and checked delays them by so many times as long, so that what a player asks for takes a fiftieth of the process. */
const REST = 50;
/** A longer time was no reading: the process stood still meanwhile. */
const LONGEST_READ_MS = 2;
/** A long target and a large body delay them, too: to take them apart, write them or throw them away is as much work as many answers. */
const BYTES_PER_MS = 1_024;
/** So does a large answer, of which each join of a full session has one. */
const ANSWER_BYTES_PER_MS = 2_048;
/** One large answer a second is made up for by then. */
const SELDOM_MS = 1_000;
/** So many milliseconds may add up before anything is delayed: twenty answers to a player at once are not. */
const FREE_MS = 100;
/** Clients and proxies wait for longer. */
const LONGEST_MS = 1_000;
/** Of that, over which those that would all wait for the longest are answered: they came together, and would come together again. */
const SPREAD = 0.25;
/** Its multiples are spread evenly, however many there are. */
const GOLDEN_RATIO = 0.618;
const MOST_REMEMBERED = 10_000;
/** Each keeps its request in memory: further ones are answered at once. */
const MOST_HELD = { player: { each: 256, inAll: 2_000 }, network: { each: 2_000, inAll: 2_000 } };
/**
 * Of one player. No client asks for as much before it is answered. A second is the longest that an answer waits, and many connections would
 * ask for as many joins in it, whose large answers would wait in memory until they are read.
 */
const MOST_HELD_BYTES = 4 * 1_048_576;

type AnswerPaceOptions = {
  /** An answer that waits leaves its slot to others. */
  admission: Pick<Admission, 'holdBack'>;
  /** Milliseconds that only grow. */
  now?: () => number;
};

/** `settledAt`: when all that was answered has been made up for. `askedAt`: when it asked before. `held`: how many answers are held back, of `heldBytes`. */
type Debtor = { settledAt: number; askedAt: number; held: number; heldBytes: number };

/**
 * Resolves when the answer is to be sent; undefined for at once. `error` is why the request is refused; undefined for a join that is not,
 * whose answer has so many bytes.
 */
export type PaceAnswer = (
  error: unknown,
  response: Response,
  bytes?: number,
) => Promise<void> | undefined;

export const createAnswerPace = ({
  admission,
  now = () => performance.now(),
}: AnswerPaceOptions) => {
  const debtors = new LRUCache<string, Debtor>({ max: MOST_REMEMBERED });
  const heldInAll = { player: 0, network: 0 };

  const hold = async (
    debtor: Debtor,
    kind: keyof typeof MOST_HELD,
    response: Response,
    bytes: number,
  ) => {
    const { heldMs } = localsOf(response);
    debtor.held += 1;
    debtor.heldBytes += bytes;
    const settle = () => {
      debtor.held -= 1;
      debtor.heldBytes -= bytes;
    };
    heldInAll[kind] += 1;
    try {
      await admission.holdBack(response, heldMs);
    } finally {
      heldInAll[kind] -= 1;
      // Who leaves is owed no less by that.
      if (response.destroyed) setTimeout(settle, heldMs).unref();
      else settle();
    }
  };

  const paceAnswer: PaceAnswer = (error, response, bytes = 0) => {
    const { req: request } = response;
    const locals = localsOf(response);
    const key = findDebtor(error, request, locals);
    if (!key) return undefined;
    const kind = locals.caller ? 'player' : 'network';
    const askedAt = now();
    const known = debtors.get(key);
    const debtor = known ?? {
      settledAt: 0,
      askedAt: Number.NEGATIVE_INFINITY,
      held: 0,
      heldBytes: 0,
    };
    if (!known) debtors.set(key, debtor);
    const isSeldom = askedAt - debtor.askedAt > SELDOM_MS;
    const answerMs = isSeldom ? 0 : bytes / ANSWER_BYTES_PER_MS;
    const owedMs =
      Math.max(0, debtor.settledAt - askedAt) +
      Math.max(leastCost(locals), costOf(request, locals), answerMs);
    debtor.settledAt = askedAt + Math.min(owedMs, FREE_MS + LONGEST_MS);
    debtor.askedAt = askedAt;
    const { each, inAll } = MOST_HELD[kind];
    if (owedMs <= FREE_MS || debtor.held >= each || heldInAll[kind] >= inAll) return undefined;
    const longestMs = LONGEST_MS * (1 - SPREAD * ((debtor.held * GOLDEN_RATIO) % 1));
    locals.heldMs = Math.min(owedMs - FREE_MS, longestMs);
    return hold(debtor, kind, response, bytes);
  };
  /** So many answers to this player are held back that further joins are to be turned away, before they are worth an answer. */
  const isBehind = ({ accountId }: Caller): boolean => {
    const { held = 0, heldBytes = 0 } = debtors.peek(`player ${accountId}`) ?? {};
    return held >= MOST_HELD.player.each || heldBytes >= MOST_HELD_BYTES;
  };
  return { paceAnswer, isBehind };
};

/** In milliseconds, as is what follows. */
const leastCost = ({ caller, routePattern }: RequestLocals): number => {
  if (caller) return PLAYER_MS;
  return routePattern.startsWith(ACCOUNTS_PATH) ? SIGN_IN_MS : ADDRESS_MS;
};

const costOf = ({ headers, originalUrl }: Request, { readMs = 0 }: RequestLocals): number =>
  Math.max(
    REST * Math.min(readMs, LONGEST_READ_MS),
    (originalUrl.length + Number(headers['content-length'] ?? 0)) / BYTES_PER_MS,
  );

/** Whose answer this is; undefined where it is not to be delayed. */
const findDebtor = (
  error: unknown,
  request: Request,
  { routeName, caller }: RequestLocals,
): string | undefined => {
  if (error instanceof RequestAbortedError) return undefined;
  const code = error instanceof ServiceError ? error.code : undefined;
  // A history that was turned away has waited, and so has a call of the admin API; a sign-in has not.
  const hasWaited = routeName !== 'joinByPlatformSession' && (routeName || caller !== null);
  if (hasWaited && code === 'service_unavailable') return undefined;
  if (caller) return asksForMany(caller) ? undefined : `player ${caller.accountId}`;
  // Who was refused before the credential was found to work may have one that does.
  const showsNone = code !== undefined && isAuthenticationFailure(code);
  const isStranger = caller === null || showsNone || NEEDS_NO_CREDENTIAL.has(code);
  return isStranger ? `network ${toNetwork(request.ip)}` : undefined;
};

/** What is refused whoever asks. */
const NEEDS_NO_CREDENTIAL = new Set<unknown>(['method_not_allowed', 'auth_token_too_large']);

/** What a token permits that is a service's. Made once: each join asks for it. */
const FOR_MANY = [...JOIN_FOR_ANY, ...READ_HISTORY];

/** API keys and the tokens of services. A token that permits nothing here is nobody's but a player's. */
const asksForMany = (caller: Caller): boolean =>
  caller.key !== undefined ||
  (!isIndividual(caller) && permitsSomewhere(caller.permissions, FOR_MANY));
