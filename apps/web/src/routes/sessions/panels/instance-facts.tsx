import { HostType } from '@muster/contract';
import { CopyableId } from '../../../components/ids/copyable-id.tsx';
import { TimeText } from '../../../components/time/time-text.tsx';
import { PlayerLink } from '../../../features/players/player-link.tsx';
import { WordTag } from '../../../features/sessions/word-tag.tsx';
import type { Instance } from '../live-session.ts';
import { Facts } from './panel.tsx';

const HOSTS: Record<string, string> = {
  [HostType.enum.dedicated]: 'Dedicated server',
  [HostType.enum.player]: 'A player',
  [HostType.enum.preallocated]: 'Preallocated server',
};

type InstanceFactsProps = { instance: Instance; showsHealth: boolean };

/** The health is left out where it can be chosen below. */
export const InstanceFacts = ({ instance, showsHealth }: InstanceFactsProps) => (
  <Facts
    facts={[
      ['State', <WordTag key="state" of="instance" value={instance.join_status} />],
      [
        'Health',
        showsHealth && instance.instance_health && (
          <WordTag key="health" of="health" value={instance.instance_health} />
        ),
      ],
      ['Id', <CopyableId key="id" id={instance.instance_id} label="instance id" />],
      ['Host', HOSTS[instance.host_type]],
      [
        'Host player',
        instance.host_player_uuid && (
          <PlayerLink key="player" playerUuid={instance.host_player_uuid} />
        ),
      ],
      ['Server', instance.host_dedicated_server_id],
      ['Version', instance.version],
      ['Address', instance.join_params?.public_conn_str],
      ['Map', instance.instance_startup_params?.map],
      ['Created', <TimeText key="created" at={instance.created} />],
    ]}
  />
);
