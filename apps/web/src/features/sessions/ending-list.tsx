import { TimeText } from '../../ui/time.tsx';
import classes from './ending-list.module.css';
import type { NamedSession, SessionRow } from './session-rows.ts';

type EndingListProps = {
  names: readonly NamedSession[];
  /** Rows with details. */
  known: readonly SessionRow[];
  /** Also of sessions that are not listed. */
  total: number | undefined;
};

/** The sessions that will end, with their seats and their last activity. */
export const EndingList = ({ names, known, total = names.length }: EndingListProps) => {
  const rows = new Map(known.map((row) => [toKey(row.session), row]));
  const more = total - names.length;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolling content must be reachable by keyboard.
    <section className={classes.frame} aria-label="Sessions that will end" tabIndex={0}>
      <ul className={classes.list}>
        {names.map((name) => {
          const row = rows.get(toKey(name));
          return (
            <li key={toKey(name)}>
              <span className="mono anywhere">
                {name.type} {name.session_id}
              </span>
              {row && (
                <span className="hint">
                  {row.seats} of {row.capacity} seats, last activity{' '}
                  <TimeText at={row.last_activity_at ?? row.session.created} />
                </span>
              )}
            </li>
          );
        })}
        {more > 0 && <li className="hint">and {more.toLocaleString('en')} more</li>}
      </ul>
    </section>
  );
};

const toKey = ({ type, session_id }: NamedSession): string => JSON.stringify([type, session_id]);
