// A round: the changes of one session that are decided in memory, one after the other, and written together.
import { ServiceError } from '../errors/service-error.ts';
import type { ChangeResult } from './change-result.ts';
import type { Return } from './session-absence-store.ts';
import type { Absences, SessionState } from './session-state.ts';
import type { TransactionStep } from './session-store.ts';
import type { TimedEvent } from './session-write.ts';
import type { Stranger } from './strangers.ts';

export type SessionChange = {
  /**
   * Decides on the newest state, null when there is no such session; called again after a conflict.
   * Answers null to leave the session as it is, and throws a ServiceError to refuse.
   */
  decide(session: SessionState | null, now: Date): ChangeResult | null;
  accountId: string;
  /**
   * Settled in a round of its own. Those who share a round are answered with the same session, so a
   * change that may undo another one, such as a kick, must not share a round with it.
   */
  alone?: boolean;
  /** The player whom the change, once it is accepted, shows to be there: it ends a mark of absence. */
  returning?: string;
  /**
   * The player for whom the change takes a seat. As long as the player is not seated, it may be decided on what the
   * process remembers of the session: the write checks that. Those who are seated may be marked absent, which no
   * version tells.
   */
  newcomer?: string;
  /** The player whom the change is about, when nobody needs to look them up beforehand. */
  stranger?: Stranger;
  /** Runs in the transaction of the write with the state before and after; forces a transaction. */
  inTransaction?: (before: SessionState, after: SessionState) => TransactionStep;
};

export type Verdict<Change extends SessionChange> = {
  change: Change;
  error?: ServiceError;
  changed: boolean;
};

/** `next` is `base` itself, or what the changes have made of it. */
export type Round<Change extends SessionChange = SessionChange> = {
  base: SessionState | null;
  next: SessionState | null;
  verdicts: Verdict<Change>[];
  events: TimedEvent[];
  steps: TransactionStep[];
  returns: Return[];
  stillAbsent: Absences | undefined;
  strangers: Stranger[];
};

/** How many of the changes that wait make the next round: one that is alone, or all up to the next such. */
export const countRound = (waiting: readonly SessionChange[]): number => {
  const next = waiting.findIndex(({ alone }) => alone);
  return next === -1 ? waiting.length : Math.max(next, 1);
};

/** Decides the changes in the order of their arrival, each on what those before it have left, as long as `goesOn`. */
export const decideAll = <Change extends SessionChange>(
  base: SessionState | null,
  changes: readonly Change[],
  now: Date,
  goesOn: (verdict: Verdict<Change>) => boolean = () => true,
): Round<Change> => {
  const round: Round<Change> = {
    ...{ base, next: base, verdicts: [], events: [], steps: [] },
    ...{ returns: [], stillAbsent: undefined, strangers: [] },
  };
  for (const change of changes) {
    const verdict = decideNext(round, change, now);
    round.verdicts.push(verdict);
    if (!goesOn(verdict)) break;
  }
  return round;
};

const decideNext = <Change extends SessionChange>(
  round: Round<Change>,
  change: Change,
  now: Date,
): Verdict<Change> => {
  try {
    return { change, changed: apply(round, change, now) };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { change, error, changed: false };
  }
};

/** True when the session is another one afterwards. */
const apply = <Change extends SessionChange>(
  round: Round<Change>,
  change: Change,
  now: Date,
): boolean => {
  const before = round.next;
  const result = change.decide(before, now);
  noteReturn(round.base, round.returns, change);
  if (change.stranger && !change.stranger.isLookedUp) round.strangers.push(change.stranger);
  if (!result || !round.base || !before) return false;
  const after = { ...result.session, version: round.base.version + 1 };
  const { accountId } = change;
  round.next = after;
  round.events.push(...result.events.map((event) => ({ ...event, accountId, at: now })));
  // A change that rests on marks stands alone in its round.
  round.stillAbsent = result.stillAbsent?.size ? result.stillAbsent : undefined;
  if (change.inTransaction) round.steps.push(change.inTransaction(before, after));
  return true;
};

/** Marks are rare: for nearly every session this is a look into an empty map. */
const noteReturn = (
  base: SessionState | null,
  returns: Return[],
  { returning, accountId }: SessionChange,
): void => {
  if (returning === undefined || !base?.absences.has(returning)) return;
  if (returns.some(({ playerUuid }) => playerUuid === returning)) return;
  returns.push({ playerUuid: returning, accountId });
};
