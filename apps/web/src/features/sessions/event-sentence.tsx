import type { ReactNode } from 'react';
import type { ApiOutputs } from '../../api/client.ts';
import { PlayerLink } from '../players/player-name.tsx';
import { HEALTH_LABELS, JOIN_STATUS_LABELS } from './session-labels.tsx';

export type TimelineEvent = ApiOutputs['sessions']['events']['events'][number] & {
  /** Shows the session, for pages with events of several sessions. */
  session?: { type: string; session_id: string };
};

type Detail = NonNullable<TimelineEvent['detail']>;
type Sentence = (player: ReactNode, detail: Detail) => ReactNode;

const team = ({ team_id }: Detail) => (team_id === undefined ? 'the session' : `team ${team_id}`);

const tellInstance: Sentence = (_, { join_status, instance_health, instance_id }) => {
  if (instance_id === undefined) return 'The instance was removed';
  const state = JOIN_STATUS_LABELS[String(join_status)]?.label.toLowerCase() ?? String(join_status);
  const health = HEALTH_LABELS[String(instance_health)]?.label.toLowerCase();
  return `The instance is ${state}${health ? `, ${health}` : ''}`;
};

const SENTENCES: Record<string, Sentence> = {
  session_created: () => 'The session was created',
  session_updated: () => 'The settings of the session changed',
  session_full: () => 'The session is full',
  session_ended: () => 'The session ended',
  instance_set: tellInstance,
  platform_session_added: (_, { platform }) => `A platform session of ${platform} was attached`,
  platform_session_removed: (_, { platform }) => `A platform session of ${platform} was removed`,
  player_invited: (player, detail) => (
    <>
      {detail.status === 'reserved' ? 'A seat was reserved for ' : 'Invited: '}
      {player}, {team(detail)}
    </>
  ),
  player_joined: (player, detail) => (
    <>
      {player} joined {team(detail)}
      {detail.status === 'leader' && ' as leader'}
      {detail.last_of_hour === true && '. Further joins in this hour are not recorded.'}
    </>
  ),
  player_left: (player, detail) => (
    <>
      {player}{' '}
      {detail.status === 'invited' || detail.status === 'reserved' ? 'declined a seat in' : 'left'}{' '}
      {team(detail)}
      {detail.last_of_hour === true && '. Further departures in this hour are not recorded.'}
    </>
  ),
  player_updated: (player, detail) => (
    <>
      {player} joined {team(detail)} again with other data
      {detail.last_of_hour === true && '. Further changes in this hour are not recorded.'}
    </>
  ),
  player_removed: (player, detail) => (
    <>
      {player} was removed from {team(detail)}
    </>
  ),
  player_moved: (player, detail) => (
    <>
      {player} moved from team {String(detail.from_team_id)} to {team(detail)}
    </>
  ),
  player_absent: (player) => <>{player} is marked absent</>,
  player_present: (player) => <>{player} is present again</>,
  leader_changed: (player) => <>{player} is now leader</>,
  seat_expired: (player, detail) => (
    <>
      The seat of {player} in {team(detail)} expired
    </>
  ),
  join_refused: (player, detail) => (
    <>
      {player} refused{detail.team_id !== undefined && ` for ${team(detail)}`}:{' '}
      {String(detail.desc ?? '')}
      {typeof detail.other_player_uuid === 'string' && (
        <>
          {' '}
          The other player: <PlayerLink playerUuid={detail.other_player_uuid} />.
        </>
      )}
      {detail.last_of_hour === true && ' Further refusals in this hour are not recorded.'}
    </>
  ),
};

/** Describes an event in words. Shows an unknown kind by its name. */
export const EventSentence = ({ event }: { event: TimelineEvent }) => {
  const player = event.player_uuid ? <PlayerLink playerUuid={event.player_uuid} /> : 'A player';
  const tell = SENTENCES[event.kind];
  return <>{tell ? tell(player, event.detail ?? {}) : event.kind}</>;
};
