// Ends sessions page by page, and continues after a failure where it stopped.
import { useRef, useState } from 'react';
import { invalidate, trpc } from '../../api/client.ts';
import { notifyDone, notifyWithLink } from '../../api/notify.ts';

export type EndedPage = {
  ended: number;
  /** Why, for each session that was left alone: "too busy". */
  skipped: readonly string[];
  /** Absent after the last page. */
  cursor: string | undefined;
};

/** Ends some sessions, and returns the cursor of the next ones. */
export type EndPage = (cursor: string | undefined, reason: string) => Promise<EndedPage>;

type Failure = { error: unknown; ended: number };

export const useEnding = (endPage: EndPage) => {
  /** How many sessions have been handled; null while nothing runs. */
  const [progress, setProgress] = useState<number | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const isStopped = useRef(false);
  const done = useRef<EndedPage>({ ended: 0, skipped: [], cursor: undefined });

  const end = async (reason: string): Promise<void> => {
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

const report = ({ ended, skipped }: EndedPage): void => {
  const message = `${countSessions(ended)} ended.`;
  if (skipped.length === 0) {
    notifyDone(message);
    return;
  }
  const reasons = [...new Set(skipped)].map(
    (why) => `${skipped.filter((other) => other === why).length} ${why}`,
  );
  notifyWithLink(`${message} Not ended: ${reasons.join(', ')}.`);
};
