// Holds a page against WCAG as axe-core reads it, in both colour schemes.
import type { OpenPage } from '@muster/browser-testing';
import type { AxeResults, RunOptions } from 'axe-core';
import axe from 'axe-core';
import { expect } from 'vitest';

type Page = OpenPage['page'];

const COMMON: RunOptions = { resultTypes: ['violations'], preload: false };

/** Only colours differ between the schemes: the other rules are asked once, which is most of the time. */
const SCHEMES: Record<'light' | 'dark', RunOptions> = {
  light: COMMON,
  dark: { ...COMMON, runOnly: ['color-contrast', 'link-in-text-block'] },
};

/** Every violation with the elements that have it; none is what is expected. */
export const expectNoAxeViolations = async (page: Page): Promise<void> => {
  // Evaluated by the browser's own protocol, since the policy of the page allows no foreign script.
  await page.evaluate(axe.source);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.evaluate(settled);
    const { violations } = await runAxe(page, SCHEMES[colorScheme]);
    const found = violations.map(({ id, help, nodes }) => ({
      rule: `${colorScheme}: ${id}: ${help}`,
      nodes: nodes.map(({ html, failureSummary }) => `${html}\n${failureSummary}`),
    }));
    expect(found).toEqual([]);
  }
};

/**
 * Until three frames in a row have shown nothing on its way: in the first the page hears of the new scheme, in the
 * second it has drawn itself in it, and what began to fade in before motion was reduced (a dialog) has arrived. What
 * moves without end (a placeholder that pulses) is not waited for.
 */
const settled = (): Promise<void> =>
  new Promise((resolve) => {
    let quiet = 0;
    const look = (): void => {
      const moving = document
        .getAnimations()
        .some(
          ({ playState, effect }) =>
            playState === 'running' && Number.isFinite(effect?.getComputedTiming().endTime),
        );
      quiet = moving ? 0 : quiet + 1;
      if (quiet === 3) resolve();
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });

const runAxe = (page: Page, options: RunOptions): Promise<AxeResults> =>
  page.evaluate(`axe.run(${JSON.stringify(options)})`);
