// Checks a page against WCAG with axe-core, and that it fits a phone.
import type { AxeResults, RunOptions } from 'axe-core';
import axe from 'axe-core';
import { expect } from 'vitest';
import { coversInFull } from './extent.ts';
import type { Page } from './web.ts';
import { PHONE } from './web.ts';

type Scheme = 'light' | 'dark';

const ALL_RULES: RunOptions = { resultTypes: ['violations'], preload: false };

/** Only colours differ between the schemes: in the second one the other rules would find the same, slowly. */
const COLOUR_RULES: RunOptions = {
  ...ALL_RULES,
  runOnly: ['color-contrast', 'link-in-text-block'],
};

/**
 * Expects no violation in either colour scheme, and shows each with its elements. Only where the proofs ask for
 * everything: every day the routes are looked at.
 */
export const expectNoAxeViolations = async (page: Page): Promise<void> => {
  if (coversInFull()) await expectNoAxeViolationsEveryDay(page);
};

/** The same, also every day, then in one colour scheme: each test takes its own, and the next call the other one. */
export const expectNoAxeViolationsEveryDay = async (page: Page): Promise<void> => {
  if ((await page.evaluate('typeof axe')) === 'undefined') {
    // Evaluated by the browser's own protocol, since the policy of the page allows no foreign script.
    await page.evaluate(axe.source);
  }
  const scheme = chooseScheme();
  await expectNoneIn(page, scheme, ALL_RULES);
  if (coversInFull()) await expectNoneIn(page, otherThan(scheme), COLOUR_RULES);
};

const otherThan = (scheme: Scheme): Scheme => (scheme === 'light' ? 'dark' : 'light');

let previous: { test: string; scheme: Scheme } | undefined;

/** Decided by the test's name: the same in every run, whatever ran before. */
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
 * Waits for three frames in a row without a running animation: in the first the page gets the new scheme, in the
 * second it draws itself in it, and what began to fade in before motion was reduced (a dialog) has arrived.
 * Animations without an end (a placeholder that pulses) are not waited for.
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
  // A page that has just changed its size, or still loads, is laid out a moment later.
  await expect
    .poll(() => page.evaluate(() => document.documentElement.scrollWidth))
    .toBe(PHONE.viewport.width);
};
