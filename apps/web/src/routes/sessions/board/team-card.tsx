import { Button, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useId } from 'react';
import { usePermission } from '../../../access/me.ts';
import { InviteDialog } from '../dialogs/invite-dialog.tsx';
import type { LiveSession, Team } from '../live-session.ts';
import classes from './board.module.css';
import type { Arrival } from './find-arrivals.ts';
import { SeatRow } from './seat-row.tsx';
import { useSlots } from './use-slots.ts';

type TeamCardProps = {
  live: LiveSession;
  team: Team;
  arrived: readonly Arrival[];
  isRunning: boolean;
};

export const TeamCard = ({ live, team, arrived, isRunning }: TeamCardProps) => {
  const heading = useId();
  const slots = useSlots(team.players, team.max_size);
  const [isInviting, inviting] = useDisclosure(false);
  const mayChange = usePermission(['session:*']) && isRunning;
  const taken = team.players.length;
  const hidden = team.max_size - slots.length;
  return (
    <section className={classes.card} aria-labelledby={heading}>
      <div className={classes.head}>
        <Title order={2} id={heading}>
          Team {team.team_id}
        </Title>
        <span className={`${classes.count} numbers`}>
          {taken} of {team.max_size} seats
        </span>
        {mayChange && (
          <Button
            variant="subtle"
            size="compact-sm"
            aria-label={`Invite to team ${team.team_id}`}
            disabled={taken >= team.max_size}
            onClick={inviting.open}
          >
            Invite
          </Button>
        )}
      </div>
      <ul className={classes.seats}>
        {slots.map((uuid, index) => {
          const player = team.players.find(({ player_uuid }) => player_uuid === uuid);
          if (!player) {
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: a free seat is its place.
              <li key={index} className={classes.seat} data-free>
                Free seat
              </li>
            );
          }
          const isNew = arrived.some(({ playerUuid }) => playerUuid === uuid);
          return <SeatRow key={uuid} live={live} team={team} player={player} isNew={isNew} />;
        })}
      </ul>
      {hidden > 0 && <p className={classes.more}>and {hidden} more free seats</p>}
      <InviteDialog
        opened={isInviting}
        onClose={inviting.close}
        session={live.session}
        teamId={team.team_id ?? 0}
      />
    </section>
  );
};
