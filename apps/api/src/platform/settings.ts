// Lists the settings for people: `muster settings` prints the list, and docs/reference/settings.md is made from it.
import type { z } from 'zod';
import { SETTING_GROUPS } from './environment.ts';

/** Every setting with its default and its meaning, grouped by subject. */
export const listSettings = () =>
  Object.entries(SETTING_GROUPS).map(([title, schemas]) => ({
    title,
    settings: Object.entries<z.ZodType>(schemas).map(([name, schema]) => {
      const { description = '', shownDefault } = schema.meta() ?? {};
      const inSchema = schema.safeParse(undefined).data;
      const known = inSchema === undefined ? 'not set' : String(inSchema);
      return { name, default: String(shownDefault ?? known), meaning: description };
    }),
  }));
