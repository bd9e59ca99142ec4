// Ends sessions page by page, and continues after a failure where it stopped.
import { useRef, useState } from 'react';
import { invalidate, trpc } from '../../api/client.ts';
import { notifyDone, notifyWithLink } from '../../api/notify.ts';

/** A session that was left alone. */
export type SkippedSession = {
  /** "too busy". */
  why: string;
  /** Absent if the service only counts them. */
  name?: string;
};

export type EndedPage = {
  ended: number;
  skipped: readonly SkippedSession[];
  /** Absent after the last page. */
  cursor: string | undefined;
};

/** Ends some sessions, and returns the cursor of the next ones. */
export type EndPage = (cursor: string | undefined, reason: string) => Promise<EndedPage>;

/** Why a session is left alone that differs from what the list showed. */
export const CHANGED = 'changed in the meantime';
const TO_END_ANYWAY = 'To end a changed session anyway, select it again.';
/** The most sessions that the result names for one reason. */
const MAX_NAMES = 3;

type Failure = { error: unknown; ended: number };

export const useEnding = (endPage: EndPage) => {
  /** How many sessions have been handled; null while nothing runs. */
  const [progress, setProgress] = useState<number | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const isStopped = useRef(false);
  const done = useRef<EndedPage>({ ended: 0, skipped: [], cursor: undefined });

  /** False if the user cancelled before all sessions were tried. */
  const end = async (reason: string): Promise<boolean> => {
    isStopped.current = false;
    setFailure(null);
    try {
      do {
        const { ended, skipped, cursor } = done.current;
        setProgress(ended + skipped.length);
        const page = await endPage(cursor, reason);
        done.current = {
          ended: ended + page.ended,
          skipped: [...skipped, ...page.skipped],
          cursor: page.cursor,
        };
      } while (done.current.cursor && !isStopped.current);
      report(done.current);
      return done.current.cursor === undefined;
    } catch (error) {
      setFailure({ error, ended: done.current.ended });
      throw error;
    } finally {
      setProgress(null);
      void invalidate([trpc.sessions.pathKey()]);
    }
  };
  return {
    progress,
    failure,
    end,
    stop: () => {
      isStopped.current = true;
    },
  };
};

export const countSessions = (count: number): string =>
  `${count.toLocaleString('en')} ${count === 1 ? 'session' : 'sessions'}`;

/** With a cursor, the user cancelled. */
const report = ({ ended, skipped, cursor }: EndedPage): void => {
  const result = `${countSessions(ended)} ended.`;
  const message = cursor ? `${result} Cancelled: the others were not tried.` : result;
  if (skipped.length === 0) {
    notifyDone(message);
    return;
  }
  const reasons = [...Map.groupBy(skipped, ({ why }) => why)].map(
    ([why, sessions]) => `${sessions.length} ${why}${listNames(sessions)}`,
  );
  const advice = skipped.some(({ why }) => why === CHANGED) ? ` ${TO_END_ANYWAY}` : '';
  notifyWithLink(`${message} Left alone: ${reasons.join(', ')}.${advice}`);
};

const listNames = (sessions: readonly SkippedSession[]): string => {
  const names = sessions.flatMap(({ name }) => name ?? []);
  const shown = names.slice(0, MAX_NAMES).join(', ');
  const more = names.length - MAX_NAMES;
  return names.length === 0 ? '' : ` (${shown}${more > 0 ? ` and ${more} more` : ''})`;
};
