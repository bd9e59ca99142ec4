// Inputs of the sessions procedures, made of the contract's schemas.
import {
  InstanceInput,
  Integer,
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

export const GetSessionInput = z.object({ ...name, if_none_match: text(1, 128).optional() });

export const ListSessionsInput = z.object({ type: ShortId.optional(), ...pageInput });

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
