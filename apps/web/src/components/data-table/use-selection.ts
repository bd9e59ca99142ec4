import { useMemo, useRef } from 'react';
import { useUrlChange, useUrlValues } from '../url/url-state.ts';
import { readList, writeList } from './table-search.ts';

/** What one request of the admin API takes; more would not fit into an address either. */
const MOST_SELECTED = 1000;

export type Selection = {
  ids: ReadonlySet<string>;
  /** With `extend`, everything between the row toggled last and this one. */
  toggle: (id: string, extend?: boolean) => void;
  replace: (ids: readonly string[]) => void;
  clear: () => void;
};

/** The selected rows, in the address. `order` are the ids of the loaded rows as they are shown. */
export const useSelection = (order: readonly string[]): Selection => {
  const { sel } = useUrlValues();
  const change = useUrlChange();
  const lastId = useRef<string | null>(null);
  const ids = useMemo(() => new Set(readList(sel)), [sel]);
  const replace = (next: readonly string[]) =>
    change({ sel: writeList(next.slice(0, MOST_SELECTED)) });
  const toggle = (id: string, extend = false): void => {
    const next = new Set(ids);
    const range = extend && lastId.current ? listBetween(order, lastId.current, id) : [id];
    for (const each of range) {
      if (ids.has(id)) next.delete(each);
      else next.add(each);
    }
    lastId.current = id;
    replace([...next]);
  };
  return { ids, toggle, replace, clear: () => replace([]) };
};

const listBetween = (order: readonly string[], a: string, b: string): readonly string[] => {
  const ends = [order.indexOf(a), order.indexOf(b)].sort((left, right) => left - right);
  const [from = -1, to = -1] = ends;
  return from < 0 ? [b] : order.slice(from, to + 1);
};
