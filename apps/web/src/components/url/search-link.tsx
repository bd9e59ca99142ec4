import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

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
