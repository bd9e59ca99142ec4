// Refused joins: what was tried, why it failed, and what to do.
import { Button } from '@mantine/core';
import type { RecordedJoinErrorCode } from '@muster/contract';
import { REFUSED_JOIN_ADVICE } from '@muster/contract';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { ApiOutputs } from '../../api/client.ts';
import { timeZone } from '../../api/preferences.ts';
import { CopyableId } from '../../ui/copyable.tsx';
import { formatAbsolute } from '../../ui/format-time.ts';
import { Name } from '../../ui/names.tsx';
import { ErrorState, LoadingState } from '../../ui/states.tsx';
import type { Rows } from '../../ui/table/rows.ts';
import { TimeText } from '../../ui/time.tsx';
import { AccountName } from '../accounts/account-name.tsx';
import { PlayerLink } from '../players/player-name.tsx';
import { platformLabel } from './refused-join-labels.ts';
import classes from './refused-join-list.module.css';

export type RefusedJoin = ApiOutputs['refusedJoins']['list']['refused_joins'][number];

type RefusedJoinListProps = {
  rows: Rows<RefusedJoin>;
  /** Shown without any. */
  empty: ReactNode;
  /** False on the page of one player. */
  showsPlayer: boolean;
  /** Shown below the list instead of the button for older entries. */
  more?: ReactNode;
};

export const RefusedJoinList = ({ rows, empty, showsPlayer, more }: RefusedJoinListProps) => {
  if (rows.isLoading) return <LoadingState lines={4} />;
  if (rows.error && rows.rows.length === 0) {
    return <ErrorState error={rows.error} onRetry={rows.refetch} />;
  }
  // A page may be empty and not be the last one.
  if (rows.rows.length === 0 && !rows.hasMore) return <>{empty}</>;
  return (
    <>
      {rows.rows.length > 0 && (
        <ol className="plain raised">
          {rows.rows.map((refused) => (
            <RefusedJoinItem key={refused.refusal_id} refused={refused} showsPlayer={showsPlayer} />
          ))}
        </ol>
      )}
      {more ??
        (rows.hasMore && (
          <Button variant="default" mt="sm" loading={rows.isLoadingMore} onClick={rows.loadMore}>
            Show older refused joins
          </Button>
        ))}
    </>
  );
};

type RefusedJoinItemProps = { refused: RefusedJoin; showsPlayer: boolean };

const RefusedJoinItem = ({ refused, showsPlayer }: RefusedJoinItemProps) => {
  const { occurred_at, error_code, desc, request_id, further } = refused;
  return (
    <li className={classes.item}>
      <p className={classes.when}>
        <ClockTime at={occurred_at} />
        {showsPlayer && refused.player_uuid && <PlayerLink playerUuid={refused.player_uuid} />}
        <span className={`hint ${classes.request}`}>
          Request <CopyableId id={request_id} label="request id" short />
        </span>
      </p>
      <dl className={classes.answer}>
        <div>
          <dt>What was tried</dt>
          <dd className="anywhere">
            <Attempt refused={refused} />
          </dd>
        </div>
        <div>
          <dt>Why it failed</dt>
          <dd className="anywhere">
            {desc} <span className="hint mono">{error_code}</span>
          </dd>
        </div>
        <div>
          <dt>What to do</dt>
          <dd>{adviceOn(error_code)}</dd>
        </div>
      </dl>
      {further !== undefined && (
        <p className="hint">
          And {further.toLocaleString('en')} more in this hour, not listed here.
        </p>
      )}
    </li>
  );
};

/** The clock time in the displayed zone, and in UTC, which the logs have. */
const ClockTime = ({ at }: { at: string }) => {
  const zone = timeZone.use();
  return (
    <span>
      <TimeText at={at} form="absolute" />
      {zone !== 'utc' && (
        <span className="hint numbers"> {formatAbsolute(new Date(at), 'utc').slice(11)}</span>
      )}
    </span>
  );
};

const Attempt = ({ refused }: { refused: RefusedJoin }) => {
  const { type, session_id, platform, platform_session_id_base64: id } = refused;
  const { account_id, player_uuid, named_player } = refused;
  return (
    <>
      A join on <bdi>{platformLabel(platform)}</bdi>{' '}
      {type !== undefined && session_id !== undefined ? (
        <>
          into{' '}
          <Link to="/sessions/$type/$id" params={{ type, id: session_id }}>
            <Name name={type} /> · <Name name={session_id} />
          </Link>
        </>
      ) : (
        'that reached no session'
      )}
      , through platform session <CopyableId id={id} label="platform session id" short />
      {named_player !== undefined && (
        <>
          , for player <bdi className="mono">{named_player}</bdi>
        </>
      )}
      {account_id !== player_uuid && (
        <>
          , sent by <AccountName id={account_id} />
        </>
      )}
      .
    </>
  );
};

/** A code of a later version has none. */
const adviceOn = (code: string): string =>
  Object.hasOwn(REFUSED_JOIN_ADVICE, code)
    ? REFUSED_JOIN_ADVICE[code as RecordedJoinErrorCode]
    : 'Search the log of the service for the request id.';
