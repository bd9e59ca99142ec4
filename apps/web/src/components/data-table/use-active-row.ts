// The row that the keyboard is on: j and k move it, and the focus goes with it.
import type { RefObject } from 'react';
import { useEffect, useRef, useState } from 'react';
import { useCommand } from '../../commands/use-command.ts';

type Options = {
  count: number;
  container: RefObject<HTMLElement | null>;
  scrollToRow: (index: number) => void;
};

export const useActiveRow = ({ count, container, scrollToRow }: Options) => {
  const [active, setActive] = useState(0);
  const isMoved = useRef(false);
  const move = (by: number): void => {
    const hasFocus = container.current?.contains(document.activeElement);
    const next = hasFocus
      ? Math.min(count - 1, Math.max(0, active + by))
      : Math.min(active, count - 1);
    isMoved.current = true;
    setActive(next);
    scrollToRow(next);
    if (next === active) focusRow(container.current, next);
  };
  useEffect(() => {
    if (!isMoved.current) return;
    isMoved.current = false;
    // The row may only now be drawn by the scrolling.
    requestAnimationFrame(() => focusRow(container.current, active));
  }, [active, container]);
  const enabled = count > 0;
  useCommand({ label: 'Next row', keys: 'j', isHidden: true, enabled, run: () => move(1) });
  useCommand({ label: 'Previous row', keys: 'k', isHidden: true, enabled, run: () => move(-1) });
  return { active: Math.min(active, Math.max(0, count - 1)), setActive };
};

const focusRow = (container: HTMLElement | null, index: number): void =>
  container
    ?.querySelector<HTMLElement>(`tr[data-index="${index}"]`)
    ?.focus({ preventScroll: true });
