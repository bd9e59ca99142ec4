import { z } from 'zod';

export const NewRecordSearch = z.object({
  /** As the record page: the form, or its JSON. */
  tab: z.enum(['json']).optional().catch(undefined),
});
