import { z } from 'zod';
import { refuseLonger } from '../bounded-list.ts';
import { Item, Xp } from '../catalogue/catalogue-records.ts';
import { customIssue, DateTime, Integer, text, toWrittenUuid } from '../strings.ts';
import { queryWithLists } from './bracketed-lists.ts';

// Parsing of query strings: parameters that may appear once, integers, lists.

/** Rejects a scalar parameter that appears twice in the query, since either value could be meant. */
export const once = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((value, context) => {
    if (!Array.isArray(value)) return value;
    const message = 'Must not be given more than once';
    context.issues.push(customIssue(value, 'value_error.repeated', message));
    return z.NEVER;
  }, schema);

/** Decimal digits become a number; anything else (an empty value too) stays a string and is refused. */
export const integerParameter = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess(
    (value) => (typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : value),
    schema,
  );

/**
 * Repeated keys and comma-separated values, in the order given; absent stays absent. An empty value, and one between or after
 * commas, is an empty element, which every kind of id refuses at its place.
 */
const listParameter = <Schema extends z.ZodType>(element: Schema) =>
  z.preprocess(
    (value, payload) =>
      value === undefined ? undefined : refuseLonger(MAX_FILTER_IDS)(toList(value), payload),
    z.array(element).max(MAX_FILTER_IDS).optional(),
  );

/** Keeps one element more than the maximum: further elements do not change the result. */
const toList = (value: unknown): unknown[] => {
  const list: unknown[] = [];
  for (const entry of Array.isArray(value) ? value : [value]) {
    if (list.length > MAX_FILTER_IDS) break;
    list.push(...(typeof entry === 'string' ? entry.split(',', MAX_FILTER_IDS + 1) : [entry]));
  }
  return list;
};

/** The most ids that one filter takes. */
const MAX_FILTER_IDS = 100;
export const MAX_PAGE_SIZE = 1000;
export const DEFAULT_PAGE_SIZE = 50;
const MAX_CURSOR_LENGTH = 256;
const MAX_NAME_FILTER_LENGTH = 256;

/** The default is part of the schema: beside a reference, several generators lose it. */
export const SortOrder = z.enum(['asc', 'desc']).default('desc').meta({
  id: 'SortOrder',
  description: 'Sort order: desc gives the newest version first.',
});

/** Commas separate the elements of a list, and U+0000 is refused. `\x00` is read alike by the engines of all languages. */
const RecordId = text(1).overwrite(toWrittenUuid).meta({ pattern: '^[^,\\x00]+$' });
const recordIds = () => listParameter(RecordId);
const legacyIds = () => listParameter(integerParameter(Integer));

const filterBy = (what: string, name: string) => ({
  description: `Filter by ${what}. Repeat the key for several (\`${name}=…&${name}=…\`); a comma-separated value is accepted too. A name with brackets (\`${name}[]\`) is refused. Unknown ids match nothing; an empty one is refused.`,
});

const walk = {
  name: once(text(0, MAX_NAME_FILTER_LENGTH).optional()).meta({
    description:
      'Filter by name, case-insensitive: records that have ever had a name which contains it. An empty one filters nothing.',
  }),
  sort_order: once(SortOrder),
  cursor: once(text(1, MAX_CURSOR_LENGTH).default('0')).meta({
    description:
      "Start with '0'; pass the returned cursor on later calls to continue, with the same sandbox, filters and sort_order (422 otherwise). Opaque; never expires.",
  }),
  page_size: once(
    integerParameter(z.int().min(1).max(MAX_PAGE_SIZE).default(DEFAULT_PAGE_SIZE)),
  ).meta({ description: 'Maximum number of elements per call.' }),
};

const itemLists = {
  item_ids: recordIds().meta(filterBy('the Item ids', 'item_ids')),
  legacy_item_ids: legacyIds().meta(filterBy('the legacy Item ids', 'legacy_item_ids')),
};
export const ItemHistoryQuery = queryWithLists(itemLists, walk);
export type ItemHistoryQuery = z.infer<typeof ItemHistoryQuery>;

const xpLists = {
  xp_ids: recordIds().meta(filterBy('the Xp ids', 'xp_ids')),
  legacy_xp_ids: legacyIds().meta(filterBy('the legacy Xp ids', 'legacy_xp_ids')),
};
export const XpHistoryQuery = queryWithLists(xpLists, walk);
export type XpHistoryQuery = z.infer<typeof XpHistoryQuery>;

export const HistoryOperation = z.enum(['insert', 'update', 'delete', 'restore']).meta({
  id: 'HistoryOperation',
  description: 'restore: undelete, or return to an older version.',
});
export type HistoryOperation = z.infer<typeof HistoryOperation>;

const SNAPSHOT = 'The whole record at that version; for a delete, its last state.';

const transactionFields = {
  account_id: z.string().meta({ description: 'Who did it.' }),
  transaction_id: z.string().meta({ description: 'Groups what one edit changed together.' }),
  issued_at: DateTime.meta({ description: 'When it was done.' }),
  operation: HistoryOperation,
  version_id: z.string().meta({ description: 'Unique for each element.' }),
  version_name: z.string().optional().meta({ description: "The record's name at that version." }),
};

export const PageMeta = z
  .object({
    cursor: z.string().max(MAX_CURSOR_LENGTH).optional().meta({
      description: 'Continues the walk; absent on the last page.',
    }),
    page_size: z.int().min(1).max(MAX_PAGE_SIZE).optional().meta({
      description: 'The page size in effect.',
    }),
    total: z.int().min(0).optional().meta({
      description: 'Number of versions that match the filters, fixed at the first page of a walk.',
    }),
  })
  .meta({ id: 'PageMeta', description: 'The position of the page in its walk.' });

export const ItemTransaction = z
  .object({ ...transactionFields, version: Item.optional().meta({ description: SNAPSHOT }) })
  .meta({ id: 'ItemTransaction', description: 'One version of one Item.' });

export const XpTransaction = z
  .object({ ...transactionFields, version: Xp.optional().meta({ description: SNAPSHOT }) })
  .meta({ id: 'XpTransaction', description: 'One version of one Xp table.' });

export const ItemHistory = z
  .object({ transactions: z.array(ItemTransaction), page_meta: PageMeta })
  .meta({ id: 'ItemHistory', description: 'A page of versions of Items.' });
export type ItemHistory = z.infer<typeof ItemHistory>;

export const XpHistory = z
  .object({ transactions: z.array(XpTransaction), page_meta: PageMeta })
  .meta({ id: 'XpHistory', description: 'A page of versions of Xp tables.' });
export type XpHistory = z.infer<typeof XpHistory>;
