import { z } from 'zod';
import { boundedList } from '../bounded-list.ts';
import {
  DateTime,
  DateTimeInput,
  Integer,
  Semver,
  ShortId,
  StringMap,
  text,
  Uuid,
} from '../strings.ts';

export const HostType = z
  .enum(['dedicated', 'player', 'preallocated'])
  .meta({ id: 'HostType', description: 'How the instance is hosted.' });
export const JoinStatus = z
  .enum(['requested', 'allocated', 'pending', 'joinable', 'unjoinable', 'closed'])
  .meta({
    id: 'JoinStatus',
    description:
      'Whether the instance takes players now. While it is unjoinable, and once it is closed, joins of players without a seat are refused. Once it is closed, seated players keep their seats but cannot change teams. A closed instance never opens again, but the session may get a new one.',
  });
export type JoinStatus = z.infer<typeof JoinStatus>;
export const InstanceHealth = z
  .enum(['healthy', 'unhealthy', 'degraded', 'unknown'])
  .meta({ id: 'InstanceHealth', description: 'How well the instance does.' });
export type InstanceHealth = z.infer<typeof InstanceHealth>;

export const JoinParams = z
  .object({
    public_conn_str: text(0, 4096),
    private_conn_str: text(0, 4096),
    custom_data: StringMap.optional(),
  })
  .meta({ id: 'JoinParams', description: 'How a client connects to the instance.' });

export const InstanceStartupParams = z
  .object({
    map: text(0, 4096),
    mode: text(0, 4096).optional(),
    misc_params: text(0, 4096).meta({ description: 'Extra command-line parameters.' }),
    custom_data: StringMap.optional(),
  })
  .meta({ id: 'InstanceStartupParams', description: 'What the instance was started with.' });

const instanceFields = {
  allocation_id: ShortId.optional(),
  instance_id: ShortId.meta({ description: 'Unique id of the relationship of host and session.' }),
  host_type: HostType,
  host_player_id: Integer.optional().meta({ description: 'When the host type is player.' }),
  host_player_uuid: Uuid.optional().meta({ description: 'When the host type is player.' }),
  host_dedicated_process_id: text(0, 4096).optional(),
  host_dedicated_server_id: text(0, 4096).optional(),
  join_status: JoinStatus,
  join_params: JoinParams.optional(),
  instance_startup_params: InstanceStartupParams.optional(),
  version: Semver.optional().meta({
    description:
      'Client version of the product, which the versions of joining players are held against.',
  }),
  custom_data: StringMap.optional(),
  instance_health: InstanceHealth.optional(),
  match_making_profile_id: ShortId.optional().meta({
    description: 'Profile that the instance was spawned from.',
  }),
  match_id: text(0, 4096).optional(),
};

export const Instance = z
  .object({ ...instanceFields, created: DateTime })
  .meta({ id: 'Instance', description: 'The host that runs the session.' });
export type Instance = z.infer<typeof Instance>;

/** An instance as a game backend sets it; the service fills `created` in when it is absent. */
export const InstanceInput = z
  .object({ ...instanceFields, created: DateTimeInput.optional() })
  .meta({ id: 'InstanceInput' });
export type InstanceInput = z.infer<typeof InstanceInput>;

// The state of matchmaking and backfill in a session: the current attempt, its results, the old `match`.

const id = () => text(0, 4096);
const ticketIds = () => boundedList(id(), { max: 1000 }).default([]);

const matchFields = {
  match_id: id(),
  custom_data: StringMap.optional(),
  ticket_ids: ticketIds(),
};

export const Match = z
  .object({ ...matchFields, created: DateTime })
  .meta({ id: 'Match', description: 'Deprecated: see MatchmakingResults.' });
export type Match = z.infer<typeof Match>;

export const MatchInput = z
  .object({ ...matchFields, created: DateTimeInput.optional() })
  .meta({ id: 'MatchInput' });
export type MatchInput = z.infer<typeof MatchInput>;

const resultsFields = {
  match_making_id: id(),
  custom_data: StringMap.optional(),
  ticket_ids: ticketIds(),
  tickets_assigned: z.boolean().optional().meta({
    description: 'Whether the tickets of these results were assigned.',
  }),
};

export const MatchmakingResults = z
  .object({ ...resultsFields, created: DateTime })
  .meta({ id: 'MatchmakingResults', description: 'The decisions of matchmaking for the session.' });
export type MatchmakingResults = z.infer<typeof MatchmakingResults>;

export const MatchmakingResultsInput = z
  .object({ ...resultsFields, created: DateTimeInput.optional() })
  .meta({ id: 'MatchmakingResultsInput' });
export type MatchmakingResultsInput = z.infer<typeof MatchmakingResultsInput>;

export const Matchmaking = z
  .object({
    ticket_id: id().meta({ description: 'Id of this matchmaking attempt.' }),
    custom_data: StringMap.optional(),
    queue_id: ShortId.optional(),
  })
  .meta({ id: 'Matchmaking', description: 'Present while the session is matchmaking.' });
export type Matchmaking = z.infer<typeof Matchmaking>;

export const Backfill = z
  .object({
    backfill_id: text(1, 4096),
    extensions: StringMap.optional().meta({
      description: 'Used when acknowledging backfill requests.',
    }),
  })
  .meta({ id: 'Backfill', description: 'The request that looks for more players.' });
export type Backfill = z.infer<typeof Backfill>;

export const Browser = z
  .object({ custom_data: StringMap.optional() })
  .meta({ id: 'Browser', description: 'Listing data in the session browser.' });
export type Browser = z.infer<typeof Browser>;
