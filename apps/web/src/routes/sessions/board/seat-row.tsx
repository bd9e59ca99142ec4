import { usePermission } from '../../../access/me.ts';
import { CopyableId } from '../../../components/ids/copyable-id.tsx';
import { Tag } from '../../../components/tag/tag.tsx';
import { TimeText } from '../../../components/time/time-text.tsx';
import { PlayerLink } from '../../../features/players/player-link.tsx';
import { SHORT_INPUT_WORDS } from '../../../features/sessions/session-words.ts';
import { WordTag } from '../../../features/sessions/word-tag.tsx';
import type { LiveSession, SeatedPlayer, Team } from '../live-session.ts';
import classes from './board.module.css';
import { SeatMenu } from './seat-menu.tsx';

type SeatRowProps = { live: LiveSession; team: Team; player: SeatedPlayer; isNew: boolean };

export const SeatRow = ({ live, team, player, isNew }: SeatRowProps) => {
  const mayChange = usePermission(['session:*']);
  const absence = live.absent_players?.find(
    ({ player_uuid }) => player_uuid === player.player_uuid,
  );
  const { platform, input } = player.client_settings ?? {};
  const device = input && (SHORT_INPUT_WORDS[input] ?? input);
  const what = [platform, device, player.version].filter(Boolean).join(' · ');
  const at = player.joined ?? player.invited;
  return (
    <li
      className={classes.seat}
      data-player={player.player_uuid}
      data-arrived={isNew || undefined}
      // A held seat that its player takes is highlighted once more.
      key={player.joined ? 'seated' : 'held'}
    >
      <div className={classes.player}>
        <div className={classes.name}>
          <PlayerLink playerUuid={player.player_uuid} />
          <WordTag of="seat" value={player.status} />
          {absence && <Tag tone="warn">Absent</Tag>}
        </div>
        <div className={classes.about}>
          {what && (
            <span className={classes.what} title={what}>
              {what}
            </span>
          )}
          {absence ? (
            <span>
              since <TimeText at={absence.since} />
            </span>
          ) : (
            at && <TimeText at={at} />
          )}
        </div>
      </div>
      <CopyableId id={player.player_uuid} label="player id" iconOnly />
      {mayChange && !live.ended && (
        <SeatMenu live={live} team={team} player={player} isAbsent={absence !== undefined} />
      )}
    </li>
  );
};
