import type { MusterError } from '@muster/client';
import { ValidationError } from '@muster/client';
import type { PublicSearch } from './public-search.ts';
import type { PublicRequest } from './read-public-history.ts';

// The typed values, and their conversion to URL parameters and to input of the client.

/** Text as typed. The token is never written to the URL. */
export const toFields = (search: PublicSearch) => ({
  kind: search.kind ?? ('item' as const),
  ids: search.ids ?? '',
  legacy_ids: search.legacy_ids ?? '',
  name: search.name ?? '',
  sort_order: search.sort_order ?? ('desc' as const),
  page_size: search.page_size ?? '',
});

export type RequestFields = ReturnType<typeof toFields>;

/** The values that differ from an empty form. */
export const toSearch = (fields: RequestFields): PublicSearch => ({
  kind: fields.kind === 'xp' ? 'xp' : undefined,
  ids: fields.ids.trim() || undefined,
  legacy_ids: fields.legacy_ids.trim() || undefined,
  name: fields.name || undefined,
  sort_order: fields.sort_order === 'asc' ? 'asc' : undefined,
  page_size: fields.page_size.trim() || undefined,
});

/** Problems that prevent sending the request. The service validates everything else. */
export const checkFields = (
  fields: RequestFields,
): Partial<Record<keyof RequestFields, string>> => {
  const legacy = splitList(fields.legacy_ids).filter((part) => !/^-?\d{1,16}$/.test(part));
  const size = fields.page_size.trim();
  return {
    ...(legacy.length > 0 && { legacy_ids: `Not a whole number: ${legacy.join(', ')}` }),
    ...(!/^\d{0,9}$/.test(size) && { page_size: 'A whole number, 1 to 1000.' }),
  };
};

type Place = Pick<PublicRequest, 'baseUrl' | 'sandbox' | 'token' | 'cursor'>;

export const toRequest = (fields: RequestFields, place: Place): PublicRequest => ({
  ...place,
  kind: fields.kind,
  ids: splitList(fields.ids),
  legacyIds: splitList(fields.legacy_ids).map(Number),
  name: fields.name || undefined,
  sortOrder: fields.sort_order === 'asc' ? 'asc' : undefined,
  pageSize: fields.page_size.trim() === '' ? undefined : Number(fields.page_size),
});

/** Ids are separated by commas, spaces or line breaks. */
const splitList = (text: string): string[] => text.split(/[\s,]+/).filter((part) => part !== '');

/** The form field for a problem that the service reports: `["query", "item_ids", 0]` is `ids`. */
export const fieldOf = (loc: readonly (string | number)[]): keyof RequestFields | undefined => {
  const name = String(loc[1] ?? '').replace(/^(legacy_)?(item|xp)_ids$/, '$1ids');
  return FIELDS.find((field) => field === name);
};

const FIELDS = ['ids', 'legacy_ids', 'name', 'sort_order', 'page_size'] as const;

/** The service's error messages by form field. */
export const toFieldProblems = (
  error: MusterError | undefined,
): Partial<Record<keyof RequestFields, string>> => {
  if (!(error instanceof ValidationError)) return {};
  const found = error.detail.flatMap(({ loc, msg }) => {
    const field = fieldOf(loc);
    return field ? [[field, `${msg}.`]] : [];
  });
  return Object.fromEntries(found);
};

/** A shell command for the same request. It does not contain the token, because commands are copied and stored. */
export const writeCurl = (url: string, hasToken: boolean): string => {
  const parts = ['curl -sS'];
  if (hasToken) parts.push('-H "Authorization: Bearer $TOKEN"');
  parts.push(quote(url));
  return parts.join(' \\\n  ');
};

/** For POSIX shells: within single quotes, only the quote itself has a special meaning. */
const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
