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

const DIALOG = '[role="dialog"]';
/** Enough for a menu whose entry opened the dialog and is gone, and for the row below the one deleted. */
const MAX_KEPT = 8;

/**
 * Returns the focus to what opened a dialog. Mantine does so only for dialogs that stay mounted; most of ours are
 * removed from the page, and the focus would move to the top of it. Watches the whole page; returns how to stop.
 */
export const restoreFocus = (): (() => void) => {
  let outside: HTMLElement[] = [];
  let isInDialog = false;

  const remember = ({ target }: FocusEvent): void => {
    if (!(target instanceof HTMLElement)) return;
    isInDialog = target.closest(DIALOG) !== null;
    if (isInDialog) return;
    outside = [target, ...outside.filter((known) => known !== target)].slice(0, MAX_KEPT);
  };

  const restore = (): void => {
    if (!isInDialog || document.activeElement !== document.body) return;
    if (document.querySelector(DIALOG)) return;
    isInDialog = false;
    outside.find((element) => element.checkVisibility())?.focus({ preventScroll: true });
  };

  const observer = new MutationObserver(restore);
  observer.observe(document.body, { childList: true, subtree: true });
  document.addEventListener('focusin', remember);
  return () => {
    observer.disconnect();
    document.removeEventListener('focusin', remember);
  };
};
