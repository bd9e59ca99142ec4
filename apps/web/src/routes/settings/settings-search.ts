import { z } from 'zod';

/** What the address says besides the path. Anything else, or anything wrong, is left out. */
export const SettingsSearch = z.object({});
