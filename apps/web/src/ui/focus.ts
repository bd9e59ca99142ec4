// Focuses the heading of the new page after a navigation, so that screen readers announce it and Tab starts there.
import type { AnyRouter } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';

/** True from the start of a navigation to another path until its heading is mounted. */
let isDue = false;

/** The first page keeps the browser's focus. Returns a function that stops it. */
export const watchNavigation = (router: AnyRouter): (() => void) => {
  const stops = [
    router.subscribe('onBeforeNavigate', ({ fromLocation, pathChanged }) => {
      if (fromLocation && pathChanged) isDue = true;
    }),
    // Only the parameters changed, so the heading was not mounted again.
    router.subscribe('onRendered', () => focusIfDue(document.querySelector('main h1'))),
  ];
  return () => {
    for (const stop of stops) stop();
  };
};

/** A ref for the heading of a page, which may be mounted later than the page, with its data. */
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
/** The number of earlier elements to remember: enough to find a menu's button, or the row after a deleted one. */
const MAX_KEPT = 8;

/**
 * Returns the focus to the control that opened a dialog. Mantine does this only for dialogs that stay mounted. Most of ours are
 * unmounted, and the focus would move to the top of the page. Watches the whole page. Returns a function that stops it.
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
