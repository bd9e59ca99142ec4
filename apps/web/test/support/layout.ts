// Checks the layout of a page: numbers align with their headers, and focus rings and badges are not clipped.
import { expect } from 'vitest';
import type { Page } from './web.ts';

/** Moves the focus. */
export const expectNeatLayout = async (page: Page): Promise<void> => {
  // After a key press, the browser also shows the focus ring for a focus by script.
  await page.keyboard.press('Shift');
  expect(await page.evaluate(findFaults)).toEqual([]);
};

const findFaults = (): string[] => {
  const TOLERANCE_PX = 1.5;
  type Box = { left: number; top: number; right: number; bottom: number };

  const name = (element: Element) =>
    `${element.tagName.toLowerCase()} "${(element.getAttribute('aria-label') ?? element.textContent ?? '').slice(0, 40)}"`;

  const isShown = (element: Element) =>
    element.checkVisibility({ visibilityProperty: true }) &&
    element.getBoundingClientRect().width > 1;

  const boxOfText = (element: Element): Box => {
    const range = document.createRange();
    range.selectNodeContents(element);
    return range.getBoundingClientRect();
  };

  const alignOf = (element: Element) => getComputedStyle(element).textAlign;

  const findInTable = (table: HTMLTableElement): string[] =>
    [...(table.tHead?.rows[0]?.cells ?? [])].flatMap((head, at) => {
      const cells = [...table.tBodies].flatMap(({ rows }) =>
        [...rows].flatMap(({ cells }) => (cells.length > at ? [cells[at] as Element] : [])),
      );
      const cell = cells.find((each) => each.textContent !== '' && isShown(each));
      if (!cell || head.textContent === '') return [];
      if (alignOf(head) !== alignOf(cell)) {
        return [`${name(head)} is aligned ${alignOf(head)}, its cells ${alignOf(cell)}`];
      }
      const isNumeric = cells.every(({ textContent }) => /^[\d,]*$/.test(textContent));
      if (isNumeric && alignOf(head) !== 'end') return [`${name(head)} has numbers, not aligned`];
      const gap = boxOfText(head).right - boxOfText(cell).right;
      const isOff = alignOf(head) === 'end' && Math.abs(gap) > TOLERANCE_PX;
      return isOff ? [`${name(head)} ends ${gap} px beside its cells`] : [];
    });

  /** The part of the box that an ancestor clips while the element itself is visible. */
  const isCut = (element: Element, box: Box): boolean => {
    const own = element.getBoundingClientRect();
    for (let around = element.parentElement; around; around = around.parentElement) {
      if (around === document.body) return false;
      const { overflowX, overflowY } = getComputedStyle(around);
      const { left, top } = around.getBoundingClientRect();
      const [x, y] = [left + around.clientLeft, top + around.clientTop];
      const clip = {
        left: x,
        top: y,
        right: x + around.clientWidth,
        bottom: y + around.clientHeight,
      };
      const sees = (side: Box) => ({
        x: side.left >= clip.left - 0.5 && side.right <= clip.right + 0.5,
        y: side.top >= clip.top - 0.5 && side.bottom <= clip.bottom + 0.5,
      });
      if (overflowX !== 'visible' && sees(own).x && !sees(box).x) return true;
      if (overflowY !== 'visible' && sees(own).y && !sees(box).y) return true;
    }
    return false;
  };

  const findCutRings = (): string[] => {
    // Not fields with a list, because the list opens on focus and remains open if the focus moves at once.
    const selector = 'a, button, summary, input:not([aria-haspopup]), [tabindex="0"]';
    const faults = [...document.querySelectorAll(selector)].filter(isShown).flatMap((element) => {
      (element as HTMLElement).focus();
      if (document.activeElement !== element) return [];
      const { outlineStyle, outlineWidth, outlineOffset } = getComputedStyle(element);
      if (outlineStyle === 'none') return [];
      const grows = Math.max(0, Number.parseFloat(outlineWidth) + Number.parseFloat(outlineOffset));
      const { left, top, right, bottom } = element.getBoundingClientRect();
      const ring = {
        left: left - grows,
        top: top - grows,
        right: right + grows,
        bottom: bottom + grows,
      };
      return isCut(element, ring) ? [`the focus ring of ${name(element)} is cut`] : [];
    });
    (document.activeElement as HTMLElement | null)?.blur();
    return faults;
  };

  /** A badge contains one or two words, which must not be truncated. */
  const findCutBadges = (): string[] =>
    [...document.querySelectorAll('span[data-tone]')].filter(isShown).flatMap((badge) => {
      const cell = badge.closest('td');
      const text = boxOfText(badge);
      const isWide = cell !== null && text.right > cell.getBoundingClientRect().right + 0.5;
      return isWide || badge.scrollWidth > badge.clientWidth + 1
        ? [`the badge ${name(badge)} is cut`]
        : [];
    });

  return [
    ...[...document.querySelectorAll('table')].filter(isShown).flatMap(findInTable),
    ...findCutRings(),
    ...findCutBadges(),
  ];
};
