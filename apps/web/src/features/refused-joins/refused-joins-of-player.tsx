// On the page of a player: the newest refused joins, which answer why the player could not join.
import { Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { usePermission } from '../../api/me.ts';
import { RefusedJoinList } from './refused-join-list.tsx';
import { useRefusedJoins } from './use-refused-joins.ts';

/** As many as one screen shows beside the facts about the player. */
const NEWEST = 3;

export const RefusedJoinsOfPlayer = ({ playerUuid }: { playerUuid: string }) =>
  usePermission(['session:view']) && <NewestRefusedJoins playerUuid={playerUuid} />;

const NewestRefusedJoins = ({ playerUuid }: { playerUuid: string }) => {
  const rows = useRefusedJoins({ player_uuid: playerUuid, page_size: NEWEST });
  return (
    <section aria-labelledby="refused-joins">
      <Title order={2} id="refused-joins" mb={4}>
        Refused joins
      </Title>
      <RefusedJoinList
        rows={rows}
        showsPlayer={false}
        empty={<p className="hint">No recent join of this player was refused.</p>}
        more={
          rows.hasMore && (
            <p>
              <Link to="/refused-joins" search={{ player: playerUuid }}>
                Show all refused joins of this player
              </Link>
            </p>
          )
        }
      />
    </section>
  );
};
