// Checks that a page explains its content: permissions in words beside their names, charts with title, unit and legend.
import { expect } from 'vitest';
import type { Page } from './web.ts';

export const expectExplanations = async (page: Page): Promise<void> => {
  expect(await page.evaluate(findUnexplained)).toEqual([]);
};

const findUnexplained = (): string[] => {
  const PERMISSION = /\b(?:sandbox|session|player|audit|metrics|people|key):[\w:*-]+/g;
  const ANY_WORDS = /[a-z]{2,}\s+[a-z]{2,}/i;
  /** The context of a text: the surrounding item, cell or label, and its description. */
  const CONTEXT = 'li, td, p, dd, label, button, a, [role=alert], [role=tooltip], [data-hint]';

  const textOf = (element: Element | null | undefined) => element?.textContent ?? '';
  const describe = (element: Element): string => {
    const ids = element.getAttribute('aria-describedby')?.split(' ') ?? [];
    const labels = (element as Partial<HTMLInputElement>).labels ?? [];
    return [
      textOf(element),
      element.getAttribute('data-hint') ?? '',
      ...[...ids.map((id) => document.getElementById(id)), ...labels].map(textOf),
    ].join(' ');
  };

  /** Every element that contains the name of a permission, with that name. */
  const listNamed = (): [Element, string][] => {
    const named: [Element, string][] = [];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
      const parent = text.parentElement;
      const [name] = text.textContent?.match(PERMISSION) ?? [];
      if (name && parent?.checkVisibility() && !parent.closest('script, style')) {
        named.push([parent, name]);
      }
    }
    return named;
  };

  const isExplained = (element: Element): boolean => {
    const context = element.closest(CONTEXT) ?? element;
    const inputs = document.querySelectorAll(`[aria-describedby~="${context.id || 'none'}"]`);
    const words = [context, ...inputs].map(describe).join(' ').replaceAll(PERMISSION, '');
    return ANY_WORDS.test(words);
  };

  const findChartFaults = (figure: Element): string[] => {
    const title = textOf(figure.querySelector('h2, h3')).trim();
    const name = `the chart "${title}"`;
    const legend = [...figure.querySelectorAll(':scope > ul > li')].map(textOf);
    return [
      ...(title === '' ? ['a chart has no title'] : []),
      ...(textOf(figure.querySelector(':scope > p')).trim() === '' ? [`${name} has no unit`] : []),
      ...(figure.querySelector('details') && legend.length === 0 ? [`${name} has no legend`] : []),
      ...(legend.some((line) => !/[a-z]{3}/i.test(line))
        ? [`${name} has a line without words`]
        : []),
    ];
  };

  return [
    ...listNamed()
      .filter(([element]) => !isExplained(element))
      .map(([, name]) => `${name} is not explained`),
    ...[...document.querySelectorAll('canvas')]
      .filter((canvas) => !canvas.closest('figure'))
      .map(() => 'a chart is in no figure'),
    ...[...document.querySelectorAll('figure')].flatMap(findChartFaults),
  ];
};
