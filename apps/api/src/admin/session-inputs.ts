// Inputs of the sessions procedures, made of the contract's schemas.
import {
  DateTimeInput,
  InstanceHealth,
  InstanceInput,
  Integer,
  JoinStatus,
  Platform,
  PlatformSessionInput,
  ShortId,
  sessionDetailInputs,
  TeamInputs,
  text,
  Uuid,
} from '@muster/contract';
import { z } from 'zod';
import { pageInput } from './paging.ts';

const name = { type: ShortId, session_id: ShortId };
const expectedEtag = { expected_etag: text(1, 128).optional() };
const details = sessionDetailInputs;

export const SessionNameInput = z.object(name);

export const GetSessionInput = z.object({
  ...name,
  if_none_match: text(1, 128).optional(),
  ended: z.boolean().optional(),
});

export const FindSessionInput = GetSessionInput.omit({ ended: true });

export const CountSessionsInput = z.object({
  type: ShortId.optional(),
  platform: Platform.optional(),
  player_uuid: Uuid.optional(),
  joinable: z.boolean().optional(),
  fill: z.enum(['empty', 'open', 'full']).optional(),
  join_status: JoinStatus.optional(),
  instance_health: InstanceHealth.optional(),
  created_from: DateTimeInput.optional(),
  created_to: DateTimeInput.optional(),
  ended: z.boolean().optional(),
});
export type CountSessionsInput = z.infer<typeof CountSessionsInput>;

export const ListSessionsInput = CountSessionsInput.extend(pageInput);

export const ListEventsInput = z.object({ ...name, ...pageInput });

/** Absent leaves a field alone; null clears it. */
export const UpdateSessionInput = z.object({
  ...name,
  ...expectedEtag,
  joinable: z.boolean().optional(),
  teams: TeamInputs.optional(),
  region_id: details.region_id.nullish(),
  custom_data: details.custom_data.nullish(),
  browser: details.browser.nullish(),
  match: details.match.nullish(),
  matchmaking: details.matchmaking.nullish(),
  matchmaking_results: details.matchmaking_results.nullish(),
  backfill: details.backfill.nullish(),
  created_by_matchmaking: details.created_by_matchmaking.nullish(),
});
export type UpdateSessionInput = z.infer<typeof UpdateSessionInput>;

export const SetInstanceInput = z.object({
  ...name,
  ...expectedEtag,
  instance: InstanceInput.nullable(),
});

export const SetInstanceStatusInput = z
  .object({
    ...name,
    ...expectedEtag,
    join_status: JoinStatus.optional(),
    instance_health: InstanceHealth.optional(),
  })
  .refine((input) => input.join_status !== undefined || input.instance_health !== undefined, {
    message: 'Either join_status or instance_health is required',
  });

export const AddPlatformSessionInput = z.object({
  ...name,
  ...PlatformSessionInput.shape,
});

export const RemovePlatformSessionInput = z.object({
  ...name,
  platform: PlatformSessionInput.shape.platform,
  platform_session_id_base64: PlatformSessionInput.shape.platform_session_id_base64,
});

export const InvitePlayerInput = z.object({
  ...name,
  player_uuid: Uuid,
  team_id: Integer,
  status: z.enum(['invited', 'reserved']).default('invited'),
  inviting_player_uuid: Uuid.optional(),
  source_session_id: ShortId.optional(),
});

export const RemovePlayerInput = z.object({ ...name, player_uuid: Uuid });

export const MovePlayerInput = z.object({
  ...name,
  ...expectedEtag,
  player_uuid: Uuid,
  team_id: Integer,
});

export const SetPresenceInput = z.object({ ...name, player_uuid: Uuid, present: z.boolean() });

/** No join nests deeper than a few levels; what JSON.parse reads, JSON.stringify may be unable to write again. */
const MAX_NESTING = 100;
const isDeeper = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1)));

/** As lax as a URL and a body are: what is wrong with them is for the public endpoint to say. */
export const TryJoinInput = z.object({
  platform: z.string().max(1_024),
  platform_session_id_base64: z.string().max(16_384),
  player_uuid: z.string().max(1_024),
  player_id: z.union([z.number(), z.string().max(1_024)]).optional(),
  body: z
    .unknown()
    .refine((body) => !isDeeper(body, MAX_NESTING), 'Must not nest deeper than 100 levels')
    .optional(),
});

export const PromotePlayerInput = z.object({ ...name, ...expectedEtag, player_uuid: Uuid });
