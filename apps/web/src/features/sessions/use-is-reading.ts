import type { RefObject } from 'react';
import { useEffect, useState } from 'react';

/** Whether the mouse or the focus is inside the element: then nothing in it may move. */
export const useIsReading = (element: RefObject<HTMLElement | null>): boolean => {
  const [isOver, setIsOver] = useState(false);
  const [hasFocus, setHasFocus] = useState(false);
  useEffect(() => {
    const node = element.current;
    if (!node) return;
    const controller = new AbortController();
    const { signal } = controller;
    const listen = (name: string, handle: () => void) =>
      node.addEventListener(name, handle, { signal });
    listen('pointerenter', () => setIsOver(true));
    listen('pointerleave', () => setIsOver(false));
    listen('focusin', () => setHasFocus(true));
    listen('focusout', () => setHasFocus(node.contains(document.activeElement)));
    return () => controller.abort();
  }, [element]);
  return isOver || hasFocus;
};
