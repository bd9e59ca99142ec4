import { z } from 'zod';
import { integerParameter, once } from '../query-parameters.ts';
import { Integer } from '../strings.ts';

export const JoinQuery = z.object({
  player_id: once(integerParameter(Integer.optional())).meta({
    description:
      'Legacy id of the player. Recorded only for callers who may act for any player; never identity or authorisation.',
  }),
});
