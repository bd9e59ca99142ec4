// Walks a page with the Tab key alone, as somebody without a mouse does, and says what is wrong on the way.
import type { Page } from './web.ts';

type Walk = {
  /** The words of the element that the first Tab leads to. */
  first: string;
  /** How many elements the Tab key reached. */
  reached: number;
  /** Elements to use that it never reached. */
  missed: string[];
  /** Elements that look the same with and without the focus. */
  unseen: string[];
};

type Step = { at: number; words: string; isSeen: boolean };

/**
 * Presses Tab until it comes round. Throws where it does not come round: then the focus is trapped. Elements that
 * appear on the way, such as the next row of a list, are walked and not demanded.
 */
export const walkByKeyboard = async (page: Page): Promise<Walk> => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const wanted = await page.evaluate(listControls);
  const steps = await pressTab(page, 2 * wanted.length + 100);
  const visited = new Set(steps.map(({ at }) => at));
  const stillThere = new Set(await page.evaluate(listConnected));
  return {
    first: steps[0]?.words ?? '',
    reached: steps.length,
    missed: wanted.filter((_, at) => !visited.has(at) && stillThere.has(at)),
    unseen: steps.filter(({ isSeen }) => !isSeen).map(({ words }) => words),
  };
};

const pressTab = async (page: Page, most: number): Promise<Step[]> => {
  const steps: Step[] = [];
  for (let presses = 0; presses < most; presses += 1) {
    await page.keyboard.press('Tab');
    const step = await page.evaluate(lookAtFocus);
    if (step.at >= 0 && step.at === steps[0]?.at) return steps;
    // Between the last element and the first the focus is in the browser's own bars.
    if (step.at !== OUTSIDE) steps.push(step);
  }
  const last = steps.slice(-4).map(({ words }) => words);
  throw new Error(`Tab does not come round: it is between ${last.join(', ')}.`);
};

const OUTSIDE = -2;

type Walked = {
  controls: HTMLElement[];
  describe: (element: Element) => string;
  look: (element: Element) => string;
  looks: Map<Element, string>;
};

/** Runs in the page: everything that one can use, with its look while nothing has the focus. */
const listControls = (): string[] => {
  (document.activeElement as HTMLElement | null)?.blur();
  const isShown = (element: Element): boolean =>
    element.checkVisibility({ visibilityProperty: true }) && !element.closest('[inert]');
  /** One radio button of a group stands for all of them: arrows move among them. */
  const standsForItself = (element: Element): boolean => {
    if (!(element instanceof HTMLInputElement) || element.type !== 'radio') return true;
    const group = [...document.querySelectorAll<HTMLInputElement>('input[type=radio]')].filter(
      ({ name }) => name === element.name,
    );
    return element === (group.find(({ checked }) => checked) ?? group[0]);
  };
  const controls = [
    ...document.querySelectorAll<HTMLElement>(
      'a[href], button, input, select, textarea, summary, [tabindex]',
    ),
  ].filter(
    (element) =>
      element.tabIndex >= 0 &&
      !element.matches(':disabled, [type=hidden]') &&
      isShown(element) &&
      standsForItself(element),
  );
  const describe = (element: Element): string => {
    const labels = (element as HTMLInputElement).labels;
    const words =
      element.getAttribute('aria-label') ?? labels?.[0]?.textContent ?? element.textContent ?? '';
    return `${element.tagName.toLowerCase()} "${words.trim().slice(0, 60)}"`;
  };
  /** The ring may be drawn by the element, by what it lies in, or by what stands beside a hidden input. */
  const look = (element: Element): string => {
    const near = [element, ...element.children, ...(element.parentElement?.children ?? [])];
    for (let up = element.parentElement, levels = 0; up && levels < 4; levels += 1) {
      near.push(up);
      up = up.parentElement;
    }
    return near
      .map((one) => {
        const { outlineStyle, outlineWidth, outlineColor, boxShadow } = getComputedStyle(one);
        const outline = outlineStyle === 'none' ? '' : `${outlineWidth} ${outlineColor}`;
        return `${outline} ${boxShadow}`;
      })
      .join('|');
  };
  const looks = new Map(controls.map((element) => [element as Element, look(element)]));
  (globalThis as unknown as { walked: object }).walked = { controls, describe, look, looks };
  return controls.map(describe);
};

/** Runs in the page. `at`: which of the controls; -1 another element, -2 none. */
const lookAtFocus = (): Step => {
  const { controls, describe, look, looks } = (globalThis as unknown as { walked: Walked }).walked;
  const element = document.activeElement as HTMLElement | null;
  if (!element || element === document.body) return { at: -2, words: 'nothing', isSeen: true };
  const own = element.getBoundingClientRect();
  const box = own.height > 2 ? own : (element.parentElement ?? element).getBoundingClientRect();
  const isInSight =
    box.bottom > 0 && box.right > 0 && box.top < innerHeight && box.left < innerWidth;
  const before = looks.get(element);
  return {
    at: controls.indexOf(element),
    words: describe(element),
    isSeen: isInSight && (before === undefined || look(element) !== before),
  };
};

/** Runs in the page: a live list may have replaced what was there at the beginning. */
const listConnected = (): number[] => {
  const { controls } = (globalThis as unknown as { walked: Walked }).walked;
  return controls.flatMap((element, at) => (element.isConnected ? [at] : []));
};
