/// <reference lib="dom" />
// How long a reader waits for an element, on a processor that is slower than this one.
import type { Page } from 'playwright-core';

/** A page, and an element that is visible once the page has loaded. */
export type Place = { path: string; selector: string };

type Watched = { shown: Promise<number> };

/** Runs in the page before its own scripts: the time from the navigation until the element has been painted. */
const watch = (selector: string): void => {
  const { promise, resolve } = Promise.withResolvers<number>();
  const look = () => {
    if (!document.querySelector(selector)) return;
    observer.disconnect();
    // The frame that paints it begins after the first call, and has ended by the second.
    requestAnimationFrame(() => requestAnimationFrame(() => resolve(performance.now())));
  };
  const observer = new MutationObserver(look);
  observer.observe(document, { subtree: true, childList: true, attributes: true });
  (globalThis as unknown as Watched).shown = promise;
};

/**
 * Slows the page down by this factor, and answers a function that opens the place anew and says after how many
 * milliseconds its element had been painted. It takes the page for itself: what watches for the element stays in it.
 */
export const timeSlowly = async (
  page: Page,
  { path, selector }: Place,
  slowdown: number,
): Promise<() => Promise<number>> => {
  const browser = await page.context().newCDPSession(page);
  await browser.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  await page.addInitScript(watch, selector);
  return async () => {
    await page.goto(path);
    const shownMs = await page.evaluate(() => (globalThis as unknown as Watched).shown);
    // An open list polls for changes.
    await page.goto('about:blank');
    return shownMs;
  };
};
