// Reads and changes the search part of the address, so that every view is a link.
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';

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
