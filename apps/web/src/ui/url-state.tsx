// Reads and changes the search part of the address, so that every view is a link.
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useCallback } from 'react';
import { z } from 'zod';

type Values = Readonly<Record<string, unknown>>;

/** The parameters of the open page, as its route's schema left them. */
export const useUrlValues = (): Values => useSearch({ strict: false }) as Values;

/**
 * Changes some parameters and leaves the others; `undefined` removes one. By default the change replaces the
 * entry of the browser's history, so that Back leaves the page instead of undoing filters letter by letter.
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
  /** Parameters of the open page that the link changes; `undefined` removes one. The others stay. */
  changes: Readonly<Record<string, unknown>>;
  children: ReactNode;
};

/** A link to the open page with another filter, tab or end of a diff: can be opened beside, and shared. */
export const SearchLink = ({ changes, children }: SearchLinkProps) => {
  const change = (old: object) => ({ ...old, ...changes });
  return (
    <Link to="." search={change as never} resetScroll={false}>
      {children}
    </Link>
  );
};

/** A word in the address. A wrong link still opens. */
export const wordParam = z.string().optional().catch(undefined);

/** What people type: what looks like a number or a boolean arrives as one. */
export const textParam = z.coerce.string().optional().catch(undefined);

/** What a table keeps in the address. Spread into the search schema of every route that shows one. */
export const tableSearchFields = {
  /** The shown columns by id, separated by commas; absent: the default ones. */
  cols: wordParam,
  /** A column's id, with a minus in front for descending. */
  sort: wordParam,
  /** The ids of the selected rows, separated by commas. */
  sel: wordParam,
};

export const readList = (text: unknown): string[] =>
  typeof text === 'string' ? text.split(',').filter((part) => part !== '') : [];

export const writeList = (parts: readonly string[]): string | undefined =>
  parts.length > 0 ? parts.join(',') : undefined;

/**
 * The path to go to after signing in, where it is one of this site; otherwise the start page. A link
 * could otherwise send people from our sign-in to a page that looks like ours (`//evil.example`, `/\evil.example`).
 */
export const toSameOriginPath = (next: string | undefined): string => {
  if (!next?.startsWith('/')) return '/';
  const url = new URL(next, 'http://own.invalid');
  // Dots that were removed may have uncovered a second slash: `/..//evil.example`.
  const isOwn = url.origin === 'http://own.invalid' && !url.pathname.startsWith('//');
  return isOwn ? `${url.pathname}${url.search}${url.hash}` : '/';
};
