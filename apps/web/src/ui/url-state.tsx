// Reads and changes the search part of the URL, so that every view is a link.
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useCallback } from 'react';
import { z } from 'zod';

type Values = Readonly<Record<string, unknown>>;

/** The parameters of the open page, validated by its route's schema. */
export const useUrlValues = (): Values => useSearch({ strict: false }) as Values;

/**
 * Changes some parameters and keeps the others; `undefined` removes a parameter. By default the change replaces the
 * history entry of the browser, so that Back leaves the page instead of undoing every keystroke of a filter.
 */
export const useUrlChange = () => {
  const navigate = useNavigate();
  return useCallback(
    (changes: Values, { push = false }: { push?: boolean } = {}): void => {
      const search = (old: Values) => dropEmpty({ ...old, ...changes });
      void navigate({ to: '.', search: search as never, replace: !push, resetScroll: false });
    },
    [navigate],
  );
};

const dropEmpty = (values: Values): Values =>
  Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== undefined && value !== ''),
  );

type SearchLinkProps = {
  /** The parameters that the link changes; `undefined` removes a parameter. The others are kept. */
  changes: Readonly<Record<string, unknown>>;
  children: ReactNode;
};

/** A link to the open page with other parameters, such as a filter or a tab. It can be opened in a new tab and shared. */
export const SearchLink = ({ changes, children }: SearchLinkProps) => {
  const change = (old: object) => ({ ...old, ...changes });
  return (
    <Link to="." search={change as never} resetScroll={false}>
      {children}
    </Link>
  );
};

/** A text parameter. An invalid value is ignored, so that a wrong link still opens. */
export const wordParam = z.string().optional().catch(undefined);

/** Typed text. The router parses numbers and booleans, so this converts them back. */
export const textParam = z.coerce.string().optional().catch(undefined);

/** A moment in RFC 3339, as the time filters write it. */
export const momentParam = z.iso.datetime({ offset: true }).optional().catch(undefined);

/** The URL parameters of a table. Spread them into the search schema of every route with a table. */
export const tableSearchFields = {
  /** The ids of the shown columns, separated by commas; absent: the default columns. */
  cols: wordParam,
  /** A column's id, with a leading minus for descending order. */
  sort: wordParam,
  /** The ids of the selected rows, separated by commas. */
  sel: wordParam,
};

export const readList = (text: unknown): string[] =>
  typeof text === 'string' ? text.split(',').filter((part) => part !== '') : [];

export const writeList = (parts: readonly string[]): string | undefined =>
  parts.length > 0 ? parts.join(',') : undefined;

/**
 * The path to open after sign-in if it is on this site; otherwise the start page. A link
 * could otherwise send users from our sign-in to an imitation of our site (`//evil.example`, `/\evil.example`).
 */
export const toSameOriginPath = (next: string | undefined): string => {
  if (!next?.startsWith('/')) return '/';
  const url = new URL(next, 'http://own.invalid');
  // Normalising the path may have produced a second slash: `/..//evil.example`.
  const isOwn = url.origin === 'http://own.invalid' && !url.pathname.startsWith('//');
  return isOwn ? `${url.pathname}${url.search}${url.hash}` : '/';
};
