import { z } from 'zod';

const word = z.coerce.string().optional().catch(undefined);

/** What the address says besides the path. Anything else, or anything wrong, is left out. */
export const TryItSearch = z.object({
  platform: word,
  /** The id of the platform session. */
  id: word,
  player: word,
  /** Of the client that joins. */
  version: word,
  team: z.coerce.number().int().optional().catch(undefined),
});
