import { Link } from '@tanstack/react-router';
import { usePermission } from '../../access/me.ts';
import { usePlayerNaming } from './player-names.ts';

type PlayerLinkProps = { playerUuid: string };

/** A player by name, leading to the player's page for those who may open it. */
export const PlayerLink = ({ playerUuid }: PlayerLinkProps) => {
  const naming = usePlayerNaming(playerUuid);
  // No other name first: a flash of the id would be read as one.
  const label = naming.isSettled ? naming.label : '…';
  const mayOpen = usePermission(['player:view']);
  if (!mayOpen) return <span title={playerUuid}>{label}</span>;
  return (
    <Link to="/players/$id" params={{ id: playerUuid }} title={playerUuid}>
      {label}
    </Link>
  );
};
