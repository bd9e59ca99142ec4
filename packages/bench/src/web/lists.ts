// The lists of the web app that are opened, and what says that they are there.
import type { Place } from '@muster/browser-testing';

export const LIST_NAMES = ['items', 'history'] as const;
export type ListName = (typeof LIST_NAMES)[number];

/** The page of an empty sandbox, once it can be used, and the rows of one that has records. */
export type WebVariant = 'empty' | 'rows';

/** The first control that belongs to the page and can be used. */
const CONTROLS: Record<ListName, string> = {
  items: 'main header button:not(:disabled, [aria-disabled])',
  history: 'main header button',
};

const ROW = 'tbody tr[data-index]';

export const placeOf = (list: ListName, variant: WebVariant, sandboxId: string): Place => ({
  path: `/s/${sandboxId}/${list}`,
  selector: variant === 'rows' ? ROW : CONTROLS[list],
});
