// One tooltip for all elements with `data-hint`. A table shows dozens of times and ids, and a separate tooltip for
// each of them took half of the table's render time.
import { Tooltip } from '@mantine/core';
import { useEffect, useState } from 'react';

const HINT_ID = 'hint';

/** Mount it once, around the app. An element without other keyboard access to its hint needs `tabIndex={0}`. */
export const HintLayer = () => {
  const [hinted, setHinted] = useState<Hinted | null>(null);
  useEffect(() => listen(setHinted), []);
  const element = hinted?.element;
  useEffect(() => {
    element?.setAttribute('aria-describedby', HINT_ID);
    return () => element?.removeAttribute('aria-describedby');
  }, [element]);
  if (!hinted) return null;
  return (
    <Tooltip
      key={hinted.turn}
      target={hinted.element}
      opened
      label={<span id={HINT_ID}>{hinted.text}</span>}
      transitionProps={{ duration: 0 }}
    />
  );
};

type Hinted = {
  element: HTMLElement;
  text: string;
  /** Unique per element. */
  turn: number;
};

/** Avoids tooltips for elements that the mouse only passes over. */
const HOVER_DELAY_MS = 250;

const findHinted = ({ target }: Event): HTMLElement | null =>
  target instanceof Element ? target.closest<HTMLElement>('[data-hint]') : null;

const listen = (show: (hinted: Hinted | null) => void): (() => void) => {
  let turn = 0;
  let current: HTMLElement | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tell = () => {
    const text = current?.dataset.hint;
    show(current && text ? { element: current, text, turn } : null);
  };
  // "Copied" replaces the id.
  const texts = new MutationObserver(tell);

  const turnTo = (element: HTMLElement | null, delayMs: number) => {
    if (element === current) return;
    clearTimeout(timer);
    texts.disconnect();
    if (current) show(null);
    current = element;
    if (!element) return;
    turn += 1;
    timer = setTimeout(() => {
      texts.observe(element, { attributeFilter: ['data-hint'] });
      tell();
    }, delayMs);
  };

  const ends = new AbortController();
  const on = (name: string, react: (event: Event) => void) =>
    document.addEventListener(name, react, { capture: true, passive: true, signal: ends.signal });
  on('mouseover', (event) => turnTo(findHinted(event), HOVER_DELAY_MS));
  on('mouseout', (event) => (event as MouseEvent).relatedTarget === null && turnTo(null, 0));
  // A focus by mouse click does not show the hint.
  on('focusin', (event) => {
    const element = findHinted(event);
    if (element?.matches(':focus-visible')) turnTo(element, 0);
  });
  on('focusout', () => turnTo(null, 0));
  on('scroll', () => turnTo(null, 0));
  on('keydown', (event) => (event as KeyboardEvent).key === 'Escape' && turnTo(null, 0));
  return () => {
    ends.abort();
    clearTimeout(timer);
    texts.disconnect();
  };
};
