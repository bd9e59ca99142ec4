import { Link } from '@tanstack/react-router';
import { AccountName } from '../../components/accounts/account-name.tsx';
import { TimeText } from '../../components/time/time-text.tsx';
import type { TimelineEvent } from './event-sentence.tsx';
import { EventSentence } from './event-sentence.tsx';
import classes from './timeline.module.css';

const TONES: Record<string, string> = {
  session_created: 'good',
  player_joined: 'good',
  player_present: 'good',
  player_removed: 'warn',
  player_absent: 'warn',
  seat_expired: 'warn',
  session_ended: 'bad',
  join_refused: 'bad',
};

/** The account of the service itself, under which it sweeps. */
const SERVICE = 'muster';

export const TimelineRow = ({ event }: { event: TimelineEvent }) => {
  const { kind, account_id, player_uuid, session, session_version, occurred_at } = event;
  const code = (event.detail as { error_code?: string } | undefined)?.error_code;
  return (
    <li className={classes.event} data-tone={TONES[kind]} data-kind={kind}>
      <span className={classes.dot} aria-hidden />
      <div>
        <p className={classes.sentence}>
          <EventSentence event={event} />
        </p>
        <p className={classes.about}>
          {session && <SessionLink {...session} />}
          {account_id !== player_uuid && (
            <span>
              by {account_id === SERVICE ? 'the service' : <AccountName id={account_id} />}
            </span>
          )}
          {code && <span className="mono">{code}</span>}
          {session_version !== undefined && (
            <span className="numbers">version {session_version}</span>
          )}
        </p>
      </div>
      <span className={classes.time}>
        <TimeText at={occurred_at} />
      </span>
    </li>
  );
};

const SessionLink = ({ type, session_id }: { type: string; session_id: string }) => (
  <Link to="/sessions/$type/$id" params={{ type, id: session_id }}>
    {type} · {session_id}
  </Link>
);
