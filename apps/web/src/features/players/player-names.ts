// Names of players by UUID. What is asked for while a page draws goes to the service in one request.
import { queryOptions, useQuery } from '@tanstack/react-query';
import { usePermission } from '../../access/me.ts';
import { createGatherer } from '../../api/gather-questions.ts';
import { api } from '../../api/trpc.ts';

/** What one request of the admin API takes. */
const MOST_IDS = 200;

const ask = createGatherer(async (player_uuids) => {
  const { players } = await api.players.names.query({ player_uuids });
  return new Map(players.map(({ player_uuid, display_name }) => [player_uuid, display_name]));
}, MOST_IDS);

/** In front of every name's key: invalidate it when a player is renamed. */
export const PLAYER_NAME_KEY = 'player-name';

const playerNameOptions = (playerUuid: string) =>
  queryOptions({
    queryKey: [PLAYER_NAME_KEY, playerUuid],
    queryFn: async () => (await ask(playerUuid)) ?? null,
    staleTime: 60_000,
  });

const SHORT_LENGTH = 8;

type PlayerNaming = {
  /** The display name, or "Player 1a2b3c4d" where there is none. */
  label: string;
  /** False while the service is being asked. */
  isSettled: boolean;
};

/** How to call a player. Whoever may not see players sees the beginning of the UUID. */
export const usePlayerNaming = (playerUuid: string | undefined): PlayerNaming => {
  const enabled = usePermission(['player:view']) && playerUuid !== undefined;
  const { data, isPending } = useQuery({ ...playerNameOptions(playerUuid ?? ''), enabled });
  const label = data ?? `Player ${(playerUuid ?? '').slice(0, SHORT_LENGTH)}`;
  return { label, isSettled: !enabled || !isPending };
};
