import type { SeatedPlayer, Team } from '../live-session.ts';

const isSeated = ({ status }: SeatedPlayer): boolean => status === 'leader' || status === 'member';

/** Who will lead when this player goes, by the service's own rule: the earliest `joined`, then the lowest UUID. */
export const findHeir = (teams: readonly Team[], playerUuid: string): SeatedPlayer | undefined =>
  teams
    .flatMap(({ players }) => players)
    .filter((player) => player.player_uuid !== playerUuid && isSeated(player))
    .sort(
      (a, b) =>
        Date.parse(a.joined ?? '') - Date.parse(b.joined ?? '') ||
        (a.player_uuid < b.player_uuid ? -1 : 1),
    )[0];
