import { z } from 'zod';

/** Both ends by version id. Absent: the current version, and the one before the other end. */
export const CompareRecordSearch = z.object({
  from: z.string().optional().catch(undefined),
  to: z.string().optional().catch(undefined),
});
