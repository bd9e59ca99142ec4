// Moves through a page with the Tab key only, and reports problems.
import type { Page } from './web.ts';

type Walk = {
  /** The label of the first element in the tab order. */
  first: string;
  /** The number of elements that the Tab key reached. */
  reached: number;
  /** Interactive elements that it did not reach. */
  missed: string[];
  /** Elements without a visible focus. */
  unseen: string[];
};

type Step = { at: number; words: string; isSeen: boolean };

/**
 * Presses Tab until the focus is back at the start. Throws if it never is, because the focus is trapped. Elements that
 * appear during the walk, such as the next row of a list, are visited but not required.
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
    // Between the last and the first element, the focus is in the browser's toolbar.
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

/** Runs in the page: all interactive elements, with their style while they do not have the focus. */
const listControls = (): string[] => {
  (document.activeElement as HTMLElement | null)?.blur();
  const isShown = (element: Element): boolean =>
    element.checkVisibility({ visibilityProperty: true }) && !element.closest('[inert]');
  /** Only one radio button of a group is in the tab order; arrow keys reach the others. */
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
  /** The focus ring may be on the element, its parent, or the sibling of a hidden input. */
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

/** Runs in the page. `at`: the index of the focused control; -1 another element, -2 none. */
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

/** Runs in the page: a live list may have replaced elements since the start. */
const listConnected = (): number[] => {
  const { controls } = (globalThis as unknown as { walked: Walked }).walked;
  return controls.flatMap((element, at) => (element.isConnected ? [at] : []));
};
