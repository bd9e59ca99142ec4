// What can be done with one seat. Moving is a menu entry per team, so that it needs no dragging.
import { ActionIcon, Menu } from '@mantine/core';
import {
  IconArrowRight,
  IconCrown,
  IconDotsVertical,
  IconInfoCircle,
  IconUserCheck,
  IconUserOff,
  IconUserX,
} from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { api } from '../../../api/trpc.ts';
import { notifyError } from '../../../components/notify.ts';
import { usePlayerNaming } from '../../../features/players/player-names.ts';
import { KickDialog } from '../dialogs/kick-dialog.tsx';
import { SeatDialog } from '../dialogs/seat-dialog.tsx';
import type { LiveSession, SeatedPlayer, Team } from '../live-session.ts';
import { useSessionChange } from '../live-session.ts';

type SeatMenuProps = {
  live: LiveSession;
  team: Team;
  player: SeatedPlayer;
  isAbsent: boolean;
};

const ICON = { size: 15, 'aria-hidden': true } as const;

export const SeatMenu = ({ live, team, player, isAbsent }: SeatMenuProps) => {
  const { session } = live;
  const { label } = usePlayerNaming(player.player_uuid);
  const [dialog, setDialog] = useState<'kick' | 'details' | null>(null);
  const button = useRef<HTMLButtonElement>(null);
  const change = useSessionChange();
  const seat = {
    type: session.type,
    session_id: session.session_id,
    player_uuid: player.player_uuid,
  };
  const run = (call: Promise<unknown>) => void change(call).catch(notifyError);
  const close = () => {
    setDialog(null);
    // The menu entry that opened the dialog is gone: the focus goes back to the menu's button.
    requestAnimationFrame(() => button.current?.focus());
  };
  const isSeated = player.status === 'leader' || player.status === 'member';
  const others = session.teams.filter(({ team_id }) => team_id !== team.team_id);
  return (
    <>
      <Menu position="bottom-end" width={210}>
        <Menu.Target>
          <ActionIcon ref={button} aria-label={`Actions for ${label}`}>
            <IconDotsVertical size={17} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown mah={360} style={{ overflowY: 'auto' }}>
          <Menu.Item
            leftSection={<IconInfoCircle {...ICON} />}
            onClick={() => setDialog('details')}
          >
            Show details
          </Menu.Item>
          {isSeated && player.status !== 'leader' && (
            <Menu.Item
              leftSection={<IconCrown {...ICON} />}
              onClick={() => run(api.sessions.promotePlayer.mutate(seat))}
            >
              Make leader
            </Menu.Item>
          )}
          {others.map(({ team_id, max_size, players }) => (
            <Menu.Item
              key={team_id}
              leftSection={<IconArrowRight {...ICON} />}
              disabled={players.length >= max_size}
              onClick={() =>
                run(api.sessions.movePlayer.mutate({ ...seat, team_id: team_id ?? 0 }))
              }
            >
              Move to team {team_id}
              {players.length >= max_size && ' (full)'}
            </Menu.Item>
          ))}
          {isSeated && (
            <Menu.Item
              leftSection={isAbsent ? <IconUserCheck {...ICON} /> : <IconUserOff {...ICON} />}
              onClick={() => run(api.sessions.setPresence.mutate({ ...seat, present: isAbsent }))}
            >
              {isAbsent ? 'Mark present' : 'Mark absent'}
            </Menu.Item>
          )}
          <Menu.Divider />
          <Menu.Item
            c="var(--mantine-color-error)"
            leftSection={<IconUserX {...ICON} />}
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
