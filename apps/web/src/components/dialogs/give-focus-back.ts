// Gives the focus back to whatever opened a dialog. Mantine does so only for dialogs that stay and are told to
// close; most of ours are taken out of the page, and the focus would fall to the top of it.

const DIALOG = '[role="dialog"]';
/** Enough for a menu whose entry opened the dialog and is gone, and for the row below the one deleted. */
const MOST_KEPT = 8;

/** Watches the whole page. Returns how to stop. */
export const giveFocusBack = (): (() => void) => {
  let outside: HTMLElement[] = [];
  let isInDialog = false;

  const remember = ({ target }: FocusEvent): void => {
    if (!(target instanceof HTMLElement)) return;
    isInDialog = target.closest(DIALOG) !== null;
    if (isInDialog) return;
    outside = [target, ...outside.filter((known) => known !== target)].slice(0, MOST_KEPT);
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
