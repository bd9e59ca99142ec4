// What matchmaking and backfill leave on a session: the attempt that runs, its results, the old `match`.
import { z } from 'zod';
import { DateTime, DateTimeInput } from '../date-time.ts';
import { ShortId, StringMap, text } from '../strings.ts';

const id = () => text(0, 4096);
const ticketIds = () => z.array(id()).max(1000).default([]);

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
  .meta({ id: 'MatchmakingResults', description: 'What matchmaking decided for the session.' });
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
