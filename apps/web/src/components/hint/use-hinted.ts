// Which element the mouse, a finger or the keyboard is on, among those that have something more to say.
import { useEffect, useState } from 'react';

export type Hinted = {
  element: HTMLElement;
  text: string;
  /** Differs for each element that is shown. */
  turn: number;
};

/** The mouse passes over many elements on its way. */
const HOVER_MS = 250;

export const useHinted = (): Hinted | null => {
  const [hinted, setHinted] = useState<Hinted | null>(null);
  useEffect(() => listen(setHinted), []);
  return hinted;
};

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
  // "Copied" takes the place of the id.
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
  on('mouseover', (event) => turnTo(findHinted(event), HOVER_MS));
  on('mouseout', (event) => (event as MouseEvent).relatedTarget === null && turnTo(null, 0));
  // As everywhere, a click alone does not make the focus speak.
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
