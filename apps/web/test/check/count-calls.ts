// Work in function calls, as the profiler of the browser counts them: a busy machine makes them slower, not more.
import type { OpenPage } from '@muster/browser-testing';

const ROUNDS = 3;

/**
 * All function calls of the page, from its opening until it has the element and asks for nothing more. The least of
 * some rounds counts, since an interruption may split one drawing into two.
 */
export const countCalls = async (
  page: OpenPage['page'],
  path: string,
  selector: string,
): Promise<number> => {
  const browser = await page.context().newCDPSession(page);
  await browser.send('Profiler.enable');
  const counts: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    await page.goto('about:blank');
    await browser.send('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    await page.goto(path, { waitUntil: 'networkidle' });
    await page.locator(selector).first().waitFor();
    const { result } = await browser.send('Profiler.takePreciseCoverage');
    await browser.send('Profiler.stopPreciseCoverage');
    const functions = result.flatMap((script) => script.functions);
    counts.push(functions.reduce((sum, { ranges }) => sum + (ranges[0]?.count ?? 0), 0));
  }
  await browser.detach();
  return Math.min(...counts);
};
