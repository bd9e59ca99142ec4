import { queryOptions, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { createBatchLoader } from '../../api/batch-loader.ts';
import { api } from '../../api/client.ts';
import { usePermission } from '../../api/me.ts';
import { nameOf } from '../../ui/names.tsx';

type PlayerLinkProps = { playerUuid: string };

/** The name of a player, as a link to the player's page for accounts that may open it. */
export const PlayerLink = ({ playerUuid }: PlayerLinkProps) => {
  const naming = usePlayerNaming(playerUuid);
  // Shows nothing while the name loads: a short flash of the id would look like a name.
  const label = naming.isSettled ? naming.label : '…';
  const mayOpen = usePermission(['player:view']);
  if (!mayOpen) return <bdi title={playerUuid}>{label}</bdi>;
  return (
    <Link to="/players/$id" params={{ id: playerUuid }} title={playerUuid}>
      <bdi>{label}</bdi>
    </Link>
  );
};

const ask = createBatchLoader(async (player_uuids) => {
  const { players } = await api.players.names.query({ player_uuids });
  return new Map(players.map(({ player_uuid, display_name }) => [player_uuid, display_name]));
});

/** The key prefix of all names. Invalidate it when a player is renamed. */
export const PLAYER_NAME_KEY = 'player-name';

const playerNameOptions = (playerUuid: string) =>
  queryOptions({
    queryKey: [PLAYER_NAME_KEY, playerUuid],
    queryFn: async () => (await ask(playerUuid)) ?? null,
    staleTime: 60_000,
  });

const SHORT_LENGTH = 8;

type PlayerNaming = {
  /** The display name, or "Player 1a2b3c4d" if there is none. */
  label: string;
  /** False while the name loads. */
  isSettled: boolean;
};

/** The name to show for a player. Accounts without permission to view players see the start of the UUID. */
export const usePlayerNaming = (playerUuid: string | undefined): PlayerNaming => {
  const enabled = usePermission(['player:view']) && playerUuid !== undefined;
  const { data, isPending } = useQuery({ ...playerNameOptions(playerUuid ?? ''), enabled });
  const id = playerUuid ?? '';
  const label = data ? nameOf({ name: data, id }) : `Player ${id.slice(0, SHORT_LENGTH)}`;
  return { label, isSettled: !enabled || !isPending };
};
