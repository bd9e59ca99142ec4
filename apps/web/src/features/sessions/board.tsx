import { ActionIcon, Box, Button, Flex, Menu, Title, VisuallyHidden } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { useId, useRef, useState } from 'react';
import { trpc } from '../../api/client.ts';
import { CopyableId } from '../../ui/copyable.tsx';
import { Tag } from '../../ui/facts.tsx';
import { Icon } from '../../ui/icons.tsx';
import { TimeText } from '../../ui/time.tsx';
import { PlayerLink, usePlayerNaming } from '../players/player-name.tsx';
import classes from './board.module.css';
import type { RecentJoin, Slots } from './board-rules.ts';
import { areSameSlots, findRecentJoins, placeSeats, readPresence } from './board-rules.ts';
import type { LiveSession, SeatedPlayer, Team } from './live-session.ts';
import { nameOf, SESSION_KEYS } from './live-session.ts';
import { InviteDialog, KickDialog, SeatDialog } from './seat-dialogs.tsx';
import { SHORT_INPUT_LABELS, StateTag } from './session-labels.tsx';

type TeamCardProps = {
  live: LiveSession;
  team: Team;
  arrived: readonly RecentJoin[];
  mayChange: boolean;
};

export const TeamCard = ({ live, team, arrived, mayChange }: TeamCardProps) => {
  const heading = useId();
  const slots = useSlots(team.players, team.max_size);
  const [isInviting, inviting] = useDisclosure(false);
  const taken = team.players.length;
  const hidden = team.max_size - slots.length;
  return (
    <Box
      component="section"
      className="raised"
      bdrs={8}
      style={{ overflow: 'hidden' }}
      aria-labelledby={heading}
    >
      <div className={classes.head}>
        <Title order={2} id={heading}>
          Team {team.team_id}
        </Title>
        <Box component="span" flex={1} className="hint numbers">
          {taken} of {team.max_size} seats
        </Box>
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
      <ul className="plain">
        {slots.map((uuid, index) => {
          const player = team.players.find(({ player_uuid }) => player_uuid === uuid);
          if (!player) {
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: a free seat has no identity but its position.
              <li key={index} className={classes.seat} data-free>
                Free seat
              </li>
            );
          }
          const isNew = arrived.some(({ playerUuid }) => playerUuid === uuid);
          return (
            <SeatRow
              key={uuid}
              live={live}
              team={team}
              player={player}
              isNew={isNew}
              mayChange={mayChange}
            />
          );
        })}
      </ul>
      {hidden > 0 && <p className={classes.more}>and {hidden} more free seats</p>}
      {isInviting && (
        <InviteDialog onClose={inviting.close} session={live.session} teamId={team.team_id ?? 0} />
      )}
    </Box>
  );
};

/** The slots of one team. They are stable while the page is open, see `placeSeats`. */
const useSlots = (players: readonly { player_uuid: string }[], maxSize: number): Slots => {
  const [shown, setShown] = useState<Slots>([]);
  const uuids = players.map(({ player_uuid }) => player_uuid);
  const next = placeSeats(shown, uuids, maxSize);
  if (areSameSlots(shown, next)) return shown;
  setShown(next);
  return next;
};

type SeatRowProps = Pick<TeamCardProps, 'live' | 'team' | 'mayChange'> & {
  player: SeatedPlayer;
  isNew: boolean;
};

const SeatRow = ({ live, team, player, isNew, mayChange }: SeatRowProps) => {
  const absence = live.absent_players?.find(
    ({ player_uuid }) => player_uuid === player.player_uuid,
  );
  const { platform, input } = player.client_settings ?? {};
  const device = input && (SHORT_INPUT_LABELS[input] ?? input);
  const what = [platform, device, player.version].filter(Boolean).join(' · ');
  const at = player.joined ?? player.invited;
  return (
    <li
      className={classes.seat}
      data-player={player.player_uuid}
      data-arrived={isNew || undefined}
      // A player who takes a held seat is highlighted again.
      key={player.joined ? 'seated' : 'held'}
    >
      <Box flex={1} miw={0}>
        <Flex className={classes.name} align="center" gap={8} miw={0} fw={550}>
          <PlayerLink playerUuid={player.player_uuid} />
          <StateTag of="seat" value={player.status} />
          {absence && <Tag tone="warn">Absent</Tag>}
        </Flex>
        <Flex className="ellipsis" gap={10} miw={0} c="dimmed" fz="0.75rem">
          {what && (
            <span className="ellipsis" title={what}>
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
        </Flex>
      </Box>
      <CopyableId id={player.player_uuid} label="player id" iconOnly />
      {mayChange && (
        <SeatMenu live={live} team={team} player={player} isAbsent={absence !== undefined} />
      )}
    </li>
  );
};

type SeatMenuProps = {
  live: LiveSession;
  team: Team;
  player: SeatedPlayer;
  isAbsent: boolean;
};

/** The actions for one seat. Each team is a menu entry to move the player to, so that no dragging is needed. */
const SeatMenu = ({ live, team, player, isAbsent }: SeatMenuProps) => {
  const { session } = live;
  const { label } = usePlayerNaming(player.player_uuid);
  const [dialog, setDialog] = useState<'kick' | 'details' | null>(null);
  const button = useRef<HTMLButtonElement>(null);
  const meta = { invalidates: SESSION_KEYS };
  const promote = useMutation(trpc.sessions.promotePlayer.mutationOptions({ meta }));
  const move = useMutation(trpc.sessions.movePlayer.mutationOptions({ meta }));
  const setPresence = useMutation(trpc.sessions.setPresence.mutationOptions({ meta }));
  const seat = { ...nameOf(session), player_uuid: player.player_uuid };
  const close = () => {
    setDialog(null);
    // The menu entry that opened the dialog no longer exists, so the menu's button receives the focus.
    requestAnimationFrame(() => button.current?.focus());
  };
  const isSeated = player.status === 'leader' || player.status === 'member';
  const others = session.teams.filter(({ team_id }) => team_id !== team.team_id);
  return (
    <>
      <Menu position="bottom-end" width={210}>
        <Menu.Target>
          <ActionIcon ref={button} aria-label={`Actions for ${label}`}>
            <Icon name="dots-vertical" size={17} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown mah={360} style={{ overflowY: 'auto' }}>
          <Menu.Item
            leftSection={<Icon name="info-circle" size={15} />}
            onClick={() => setDialog('details')}
          >
            Show details
          </Menu.Item>
          {isSeated && player.status !== 'leader' && (
            <Menu.Item
              leftSection={<Icon name="crown" size={15} />}
              onClick={() => promote.mutate(seat)}
            >
              Make leader
            </Menu.Item>
          )}
          {others.map(({ team_id, max_size, players }) => (
            <Menu.Item
              key={team_id}
              leftSection={<Icon name="arrow-right" size={15} />}
              disabled={players.length >= max_size}
              onClick={() => move.mutate({ ...seat, team_id: team_id ?? 0 })}
            >
              Move to team {team_id}
              {players.length >= max_size && ' (full)'}
            </Menu.Item>
          ))}
          {isSeated && (
            <Menu.Item
              leftSection={<Icon name={isAbsent ? 'user-check' : 'user-off'} size={15} />}
              onClick={() => setPresence.mutate({ ...seat, present: isAbsent })}
            >
              {isAbsent ? 'Mark present' : 'Mark absent'}
            </Menu.Item>
          )}
          <Menu.Divider />
          <Menu.Item
            c="var(--mantine-color-error)"
            leftSection={<Icon name="user-x" size={15} />}
            onClick={() => setDialog('kick')}
          >
            {isSeated ? 'Kick …' : 'Take the seat back …'}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <KickDialog opened={dialog === 'kick'} onClose={close} session={session} player={player} />
      <SeatDialog opened={dialog === 'details'} onClose={close} player={player} />
    </>
  );
};

/** Announces new players to screen readers. */
export const JoinAnnouncements = ({ arrivals }: { arrivals: readonly RecentJoin[] }) => (
  <VisuallyHidden>
    <div role="log" aria-label="Arrivals" aria-live="polite">
      {arrivals.map((arrival) => (
        <Sentence key={`${arrival.playerUuid} ${arrival.isHeld}`} arrival={arrival} />
      ))}
    </div>
  </VisuallyHidden>
);

/** Waits for the name, because screen readers announce a sentence only once. */
const Sentence = ({ arrival: { playerUuid, teamId, isHeld } }: { arrival: RecentJoin }) => {
  const { label, isSettled } = usePlayerNaming(playerUuid);
  if (!isSettled) return null;
  const team = teamId === undefined ? 'the session' : `team ${teamId}`;
  return (
    <p>
      {label} {isHeld ? 'has a seat held in' : 'has joined'} {team}.
    </p>
  );
};

/** The maximum number of arrivals to announce and highlight: enough for a full team. */
const MAX_KEPT = 100;

/** The players who have arrived since the page was opened, the newest last. */
export const useRecentJoins = (teams: readonly Team[]): readonly RecentJoin[] => {
  const [state, setState] = useState(() => ({
    teams,
    presence: readPresence(teams),
    arrivals: [] as readonly RecentJoin[],
  }));
  if (state.teams === teams) return state.arrivals;
  const found = findRecentJoins(state.presence, teams);
  const arrivals =
    found.length > 0 ? [...state.arrivals, ...found].slice(-MAX_KEPT) : state.arrivals;
  setState({ teams, presence: readPresence(teams), arrivals });
  return arrivals;
};
