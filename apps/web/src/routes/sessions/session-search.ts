import { z } from 'zod';

/** What the address says besides the path. Anything else, or anything wrong, is left out. */
export const SessionSearch = z.object({
  /** Asks for the last one of this name that has ended, though another may be running. */
  state: z.literal('ended').optional().catch(undefined),
});
