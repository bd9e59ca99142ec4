// Checks a page against WCAG with axe-core, and that it fits a phone.
import type { AxeResults, RunOptions } from 'axe-core';
import axe from 'axe-core';
import { expect } from 'vitest';
import { coversInFull } from './extent.ts';
import type { Page } from './web.ts';
import { PHONE } from './web.ts';

type Scheme = 'light' | 'dark';

const ALL_RULES: RunOptions = { resultTypes: ['violations'], preload: false };

/** The schemes differ only in colours, so the other rules run in one scheme only. */
const COLOUR_RULES: RunOptions = {
  ...ALL_RULES,
  runOnly: ['color-contrast', 'link-in-text-block'],
};

/**
 * Expects no violation in either colour scheme, and prints each with its elements. Runs only in the
 * proofs; `npm test` checks the routes.
 */
export const expectNoAxeViolations = async (page: Page): Promise<void> => {
  if (coversInFull()) await expectNoAxeViolationsEveryDay(page);
};

/** The same, but `npm test` also runs it in one colour scheme, chosen by the test's name and alternating per call. */
export const expectNoAxeViolationsEveryDay = async (page: Page): Promise<void> => {
  if ((await page.evaluate('typeof axe')) === 'undefined') {
    // Evaluated with the DevTools protocol, because the content security policy allows no other script.
    await page.evaluate(axe.source);
  }
  const scheme = chooseScheme();
  await expectNoneIn(page, scheme, ALL_RULES);
  if (coversInFull()) await expectNoneIn(page, otherThan(scheme), COLOUR_RULES);
};

const otherThan = (scheme: Scheme): Scheme => (scheme === 'light' ? 'dark' : 'light');

let previous: { test: string; scheme: Scheme } | undefined;

/** Depends on the test's name, so that it is the same in every run. */
const chooseScheme = (): Scheme => {
  const test = expect.getState().currentTestName ?? '';
  const sum = [...test].reduce((total, letter) => total + (letter.codePointAt(0) ?? 0), 0);
  const first: Scheme = sum % 2 === 0 ? 'light' : 'dark';
  const scheme = previous?.test === test ? otherThan(previous.scheme) : first;
  previous = { test, scheme };
  return scheme;
};

const expectNoneIn = async (page: Page, scheme: Scheme, options: RunOptions): Promise<void> => {
  await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
  await page.evaluate(waitUntilStill);
  const { violations } = await page.evaluate<AxeResults>(`axe.run(${JSON.stringify(options)})`);
  const found = violations.map(({ id, help, nodes }) => ({
    rule: `${scheme}: ${id}: ${help}`,
    nodes: nodes.map(({ html, failureSummary }) => `${html}\n${failureSummary}`),
  }));
  expect(found).toEqual([]);
};

/**
 * Waits for three consecutive frames without a running animation: the first applies the new scheme, the
 * second renders it, and by the third a dialog that started to fade in before motion was reduced is fully visible.
 * Ignores infinite animations, such as a pulsing placeholder.
 */
const waitUntilStill = (): Promise<void> =>
  new Promise((resolve) => {
    let stillFrames = 0;
    const look = (): void => {
      const isMoving = document
        .getAnimations()
        .some(
          ({ playState, effect }) =>
            playState === 'running' && Number.isFinite(effect?.getComputedTiming().endTime),
        );
      stillFrames = isMoving ? 0 : stillFrames + 1;
      if (stillFrames === 3) resolve();
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });

/** The page of a phone does not scroll sideways. */
export const expectToFitPhone = async (page: Page): Promise<void> => {
  // The layout may follow a resize or a load with a delay.
  await expect
    .poll(() => page.evaluate(() => document.documentElement.scrollWidth))
    .toBe(PHONE.viewport.width);
};
