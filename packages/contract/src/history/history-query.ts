import { z } from 'zod';
import { integerParameter, listParameter, once } from '../query-parameters.ts';
import { Integer, text } from '../strings.ts';

/** The most ids that one filter takes. */
export const MAX_FILTER_IDS = 100;
export const MAX_PAGE_SIZE = 1000;
export const DEFAULT_PAGE_SIZE = 50;
const MAX_CURSOR_LENGTH = 256;
const MAX_NAME_FILTER_LENGTH = 256;

const recordIds = () => listParameter(text(0).toLowerCase(), MAX_FILTER_IDS);
const legacyIds = () => listParameter(integerParameter(Integer), MAX_FILTER_IDS);

const filterBy = (what: string, name: string) => ({
  description: `Filter by ${what}. Repeat the key for several (\`${name}=…&${name}=…\`); a comma-separated value is accepted too. Unknown ids match nothing.`,
});

const walk = {
  name: once(text(0, MAX_NAME_FILTER_LENGTH).optional()).meta({
    description:
      'Filter by name, case-insensitive: records that have ever had a name which contains it. An empty one filters nothing.',
  }),
  sort_order: once(z.enum(['asc', 'desc']).default('desc')).meta({
    description: 'Sort order: desc gives the newest version first.',
  }),
  cursor: once(text(1, MAX_CURSOR_LENGTH).default('0')).meta({
    description:
      "Start with '0'; pass the returned cursor on later calls to continue, with the same sandbox, filters and sort_order (422 otherwise). Opaque; never expires.",
  }),
  page_size: once(
    integerParameter(z.int().min(1).max(MAX_PAGE_SIZE).default(DEFAULT_PAGE_SIZE)),
  ).meta({ description: 'Maximum number of elements per call.' }),
};

export const ItemHistoryQuery = z.object({
  item_ids: recordIds().meta(filterBy('the Item ids', 'item_ids')),
  legacy_item_ids: legacyIds().meta(filterBy('the legacy Item ids', 'legacy_item_ids')),
  ...walk,
});
export type ItemHistoryQuery = z.infer<typeof ItemHistoryQuery>;

export const XpHistoryQuery = z.object({
  xp_ids: recordIds().meta(filterBy('the Xp ids', 'xp_ids')),
  legacy_xp_ids: legacyIds().meta(filterBy('the legacy Xp ids', 'legacy_xp_ids')),
  ...walk,
});
export type XpHistoryQuery = z.infer<typeof XpHistoryQuery>;
