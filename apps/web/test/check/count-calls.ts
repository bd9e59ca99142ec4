// Work in function calls, as the profiler of the browser counts them: a busy machine makes them slower, not more.
import type { OpenPage } from '@muster/browser-testing';

/** All function calls of the page, from its opening until it has the element and asks for nothing more. */
export const countCalls = async (
  page: OpenPage['page'],
  path: string,
  selector: string,
): Promise<number> => {
  const browser = await page.context().newCDPSession(page);
  await browser.send('Profiler.enable');
  await page.goto('about:blank');
  await browser.send('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  await page.goto(path, { waitUntil: 'networkidle' });
  await page.locator(selector).first().waitFor();
  const { result } = await browser.send('Profiler.takePreciseCoverage');
  await browser.detach();
  const functions = result.flatMap((script) => script.functions);
  return functions.reduce((sum, { ranges }) => sum + (ranges[0]?.count ?? 0), 0);
};
