import { TimeText } from '../../ui/time.tsx';
import classes from './ending-list.module.css';
import type { FoundSession } from './session-rows.ts';

type EndingListProps = {
  sessions: readonly FoundSession[];
  /** Also of sessions that are not listed. */
  total: number | undefined;
};

/** The sessions that will end, with their seats and their last activity. */
export const EndingList = ({ sessions, total = sessions.length }: EndingListProps) => {
  const more = total - sessions.length;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolling content must be reachable by keyboard.
    <section className={classes.frame} aria-label="Sessions that will end" tabIndex={0}>
      <ul className={classes.list}>
        {sessions.map((session) => (
          <li key={JSON.stringify([session.type, session.session_id])}>
            <span className="mono anywhere">
              {session.type} {session.session_id}
            </span>
            <span className="hint">
              {session.seats} of {session.capacity} seats, last activity{' '}
              <TimeText at={session.lastActivity} />
            </span>
          </li>
        ))}
        {more > 0 && <li className="hint">and {more.toLocaleString('en')} more</li>}
      </ul>
    </section>
  );
};
