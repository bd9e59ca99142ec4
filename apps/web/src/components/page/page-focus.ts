// After a navigation the heading of the new page takes the focus, so that screen readers read it and Tab starts there.
import type { AnyRouter } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';

/** True between the start of a navigation to another path and the heading of its page. */
let isDue = false;

/** The page that the browser itself opened keeps the browser's focus. Returns how to stop. */
export const watchNavigation = (router: AnyRouter): (() => void) => {
  const stops = [
    router.subscribe('onBeforeNavigate', ({ fromLocation, pathChanged }) => {
      if (fromLocation && pathChanged) isDue = true;
    }),
    // The page stayed and only its parameters changed: no heading was drawn anew.
    router.subscribe('onRendered', () => focusIfDue(document.querySelector('main h1'))),
  ];
  return () => {
    for (const stop of stops) stop();
  };
};

/** For the heading of a page, which may come later than the page: with its data. */
export const usePageFocus = () => {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => focusIfDue(heading.current), []);
  return heading;
};

const focusIfDue = (heading: HTMLElement | null): void => {
  if (!isDue || !heading) return;
  isDue = false;
  heading.focus();
};
