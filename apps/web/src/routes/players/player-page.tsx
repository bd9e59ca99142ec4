import { Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { ActionButton } from '../../access/action-button.tsx';
import { trpc } from '../../api/trpc.ts';
import { CopyableId } from '../../components/ids/copyable-id.tsx';
import { Page } from '../../components/page/page.tsx';
import { QueryState } from '../../components/states/query-state.tsx';
import { Tag } from '../../components/tag/tag.tsx';
import { TimeText } from '../../components/time/time-text.tsx';
import { Timeline } from '../../features/sessions/timeline.tsx';
import { PlayerDialog } from './player-dialog.tsx';
import classes from './player-page.module.css';
import { PlayerSeats } from './player-seats.tsx';
import { usePlayerEvents } from './use-player-events.ts';

const route = getRouteApi('/app/players/$id');
const MAY_EDIT = ['player:*'] as const;

export const PlayerPage = () => {
  const { id } = route.useParams();
  const query = useQuery(trpc.players.get.queryOptions({ player_uuid: id }));
  const events = usePlayerEvents(id);
  const [isOpen, dialog] = useDisclosure(false);
  const player = query.data;
  return (
    <Page
      title={player?.display_name ?? `Player ${id.slice(0, 8)}`}
      above={<Link to="/players">Players</Link>}
      actions={
        player && (
          <ActionButton variant="default" anyOf={MAY_EDIT} onClick={dialog.open}>
            Edit
          </ActionButton>
        )
      }
    >
      <QueryState query={query}>
        {({ player_uuid, player_id, registered, platforms }) => (
          <>
            <dl className={classes.identities}>
              <div>
                <dt>UUID</dt>
                <dd>
                  <CopyableId id={player_uuid} label="player id" />
                </dd>
              </div>
              <div>
                <dt>Legacy id</dt>
                <dd>
                  {player_id === undefined ? (
                    'none'
                  ) : (
                    <CopyableId id={String(player_id)} label="legacy id" />
                  )}
                </dd>
              </div>
              <div>
                <dt>First seen</dt>
                <dd>
                  <TimeText at={registered} />
                </dd>
              </div>
              <div>
                <dt>Platforms</dt>
                <dd>
                  {platforms.length === 0 && 'none yet'}
                  {platforms.map((platform) => (
                    <span key={platform}>
                      <Tag>{platform}</Tag>{' '}
                    </span>
                  ))}
                </dd>
              </div>
            </dl>
            <section aria-labelledby="seats">
              <Title order={2} id="seats">
                Seats
              </Title>
              <PlayerSeats playerUuid={player_uuid} />
            </section>
            <Timeline rows={events} />
            <PlayerDialog opened={isOpen} onClose={dialog.close} player={query.data} />
          </>
        )}
      </QueryState>
    </Page>
  );
};
