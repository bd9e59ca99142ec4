// What a browser test starts with: the service, the built app, and a real browser in front of them.
import type { Cookie, OpenBrowser, OpenPage, Person } from '@muster/browser-testing';
import { openBrowser, signIn } from '@muster/browser-testing';
import type { Role } from '@muster/contract';
import { makePerson } from './make-person.ts';
import type { Service } from './start-service.ts';
import { startService } from './start-service.ts';

export type Web = Service & {
  /**
   * A page with cookies and storage of its own. It is signed in as somebody of the role, or as the person;
   * as nobody without `as`. Answers when the page has its heading.
   */
  open(path: string, options?: PageOptions): Promise<OpenPage>;
  /** A new person, to be used as `as`. */
  makePerson(role: Role, sandboxIds?: readonly string[]): Promise<Person>;
};

export type PageOptions = Parameters<OpenBrowser['openPage']>[0] & { as?: Role | Person };

export const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true } as const;
export const DESKTOP = { viewport: { width: 1440, height: 900 } } as const;

const WAIT_MS = 30_000;

export const startWeb = async (options?: Parameters<typeof startService>[0]): Promise<Web> => {
  const service = await startService(options);
  const browser = await openBrowser().catch(async (error: unknown) => {
    await service.stop();
    throw error;
  });
  const { baseUrl } = service;
  const findCookies = keepCookies(service);
  return {
    ...service,
    makePerson: (role, sandboxIds) => makePerson(service, role, sandboxIds),
    open: async (path, { as, ...pageOptions } = {}) => {
      const opened = await browser.openPage({ ...DESKTOP, ...pageOptions, baseURL: baseUrl });
      opened.page.setDefaultTimeout(WAIT_MS);
      if (as) await opened.page.context().addCookies(await findCookies(as));
      await opened.page.goto(path);
      await opened.page.locator('h1').first().waitFor();
      return opened;
    },
    stop: async () => {
      await browser.close();
      await service.stop();
    },
  };
};

/** One person and one sign-in per role: making people hashes passwords, which takes its time on purpose. */
const keepCookies = (service: Service) => {
  const kept = new Map<string, Promise<Cookie[]>>();
  return (as: Role | Person): Promise<Cookie[]> => {
    const key = typeof as === 'string' ? as : as.email;
    const known = kept.get(key);
    if (known) return known;
    const person = typeof as === 'string' ? makePerson(service, as) : Promise.resolve(as);
    const made = person.then((somebody) => signIn(service.baseUrl, somebody));
    kept.set(key, made);
    return made;
  };
};
