import { z } from 'zod';

export const SystemSearch = z.object({
  /** How far the charts look back; absent: an hour. */
  minutes: z.literal([5, 15]).optional().catch(undefined),
});
