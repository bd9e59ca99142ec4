// Pages that tests use one after the other: a renderer that has compiled the app before opens it with 0.6 of the work.
import type { OpenBrowser, OpenPage } from '@muster/browser-testing';
import { shareBrowser } from '@muster/browser-testing';

export type ContextOptions = NonNullable<Parameters<OpenBrowser['openPage']>[0]>;

export type PooledPage = OpenPage & {
  options: ContextOptions;
  /** Used by no other test, before or after. */
  isOwn: boolean;
};

export type PagePool = {
  /** A page without cookies and storage: one that was given back, or a new one. */
  borrow(options: ContextOptions, isOwn: boolean): Promise<PooledPage>;
  /** Leaves nothing on the page of what its test did. */
  giveBack(page: PooledPage): Promise<void>;
  close(): Promise<void>;
};

/** A renderer is kept only among documents with the opener policy of the app. */
const BLANK = {
  contentType: 'text/html',
  headers: { 'Cross-Origin-Opener-Policy': 'same-origin' },
  body: '',
};

export const createPagePool = (baseUrl: string): PagePool => {
  const idle = new Map<string, PooledPage[]>();
  const borrow: PagePool['borrow'] = async (options, isOwn) => {
    const known = isOwn ? undefined : idle.get(JSON.stringify(options))?.pop();
    if (known) return known;
    const browser = await shareBrowser();
    return { ...(await browser.openPage(options)), options, isOwn };
  };
  const giveBack: PagePool['giveBack'] = async (used) => {
    // A page that its test closed, or left in a state that it does not come out of, is not used again.
    const isClean =
      !used.isOwn &&
      (await clear(used, `${baseUrl}/blank`)
        .then(() => true)
        .catch(() => false));
    if (!isClean) return used.page.context().close();
    const key = JSON.stringify(used.options);
    idle.set(key, [...(idle.get(key) ?? []), used]);
  };
  const close = async (): Promise<void> => {
    const all = [...idle.values()].flat();
    idle.clear();
    await Promise.all(all.map(({ page }) => page.context().close()));
  };
  return { borrow, giveBack, close };
};

const clear = async ({ page, options, requests }: PooledPage, blank: string) => {
  const context = page.context();
  await Promise.all(context.pages().map((other) => other !== page && other.close()));
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.route(blank, (route) => route.fulfill(BLANK));
  await page.goto(blank);
  await page.unrouteAll();
  await page.evaluate(() => {
    localStorage.clear();
    sessionStorage.clear();
  });
  await context.clearCookies();
  if (options.viewport) await page.setViewportSize(options.viewport);
  const { colorScheme = null, reducedMotion = null } = options;
  await page.emulateMedia({ colorScheme, reducedMotion });
  requests.length = 0;
};
