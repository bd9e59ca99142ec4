// The environment of a browser test: the service, the built app and a real browser.
import type { Cookie, OpenBrowser, OpenPage, Person } from '@muster/browser-testing';
import { addPerson, shareBrowser, signIn } from '@muster/browser-testing';
import type { Role } from '@muster/contract';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import type { Service, ServiceOptions } from './service.ts';
import { startService } from './service.ts';

export type Page = OpenPage['page'];

export type Web = Omit<Service, 'stop'> & {
  /**
   * Opens a page with its own cookies and storage until the end of the test. It is signed in as a person with the role,
   * or as the given person; without `as` it is not signed in. Resolves when the page has its heading. The test fails if
   * the console logs an error.
   */
  open(path: string, options?: PageOptions): Promise<Page>;
  /** Creates a person for `as`. Without `sandboxIds`, the role applies to every sandbox. */
  makePerson(role: Role, sandboxIds?: readonly string[]): Promise<Person>;
};

export type PageOptions = Parameters<OpenBrowser['openPage']>[0] & {
  as?: Role | Person;
  /** Console errors that the test expects. The browser logs one for each failed request. */
  expectedErrors?: readonly RegExp[];
  /** Keeps the page open for later tests of the file. Each of them fails if the console logs a new error. */
  isKept?: boolean;
};

export const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true } as const;
export const DESKTOP = { viewport: { width: 1440, height: 900 } } as const;

const WAIT_MS = 30_000;
const PASSWORD = 'a long password of the web tests';

type Running = {
  service: Service;
  web: Web;
  /** Also closes kept pages, at the end of a file. */
  closePages: (options?: { all: boolean }) => Promise<void>;
};

let shared: Promise<Running> | undefined;

/**
 * The service that all test files of this worker share. Each file has its own sandboxes, sessions and people. Lists
 * outside of a sandbox also contain resources of other files.
 */
export const shareWeb = (): Web =>
  provide(
    () => (shared ??= start()),
    async () => {},
  );

/** A separate service for this file, for tests that change global state or need other settings. */
export const startOwnWeb = (
  getOptions: () => ServiceOptions | Promise<ServiceOptions> = () => ({}),
): Web =>
  provide(
    async () => start(await getOptions()),
    ({ service }) => service.stop(),
  );

/** Registers the hooks of the file. Use the result in hooks and tests. */
const provide = (
  getRunning: () => Promise<Running>,
  release: (running: Running) => Promise<void>,
): Web => {
  let running: Running | undefined;
  beforeAll(async () => {
    running = await getRunning();
  });
  afterEach(() => running?.closePages());
  afterAll(async () => {
    if (!running) return;
    const ended = running;
    await ended.closePages({ all: true }).finally(() => release(ended));
  });
  return new Proxy({} as Web, {
    get: (_, name) => {
      if (!running) throw new Error('The service has not started yet: use it in a hook or a test.');
      return running.web[name as keyof Web];
    },
  });
};

const start = async (options?: ServiceOptions): Promise<Running> => {
  const service = await startService(options);
  const { baseUrl } = service;
  const findCookies = keepCookies(service);
  let pages: { opened: OpenPage; expectedErrors: readonly RegExp[]; isKept: boolean }[] = [];
  const open: Web['open'] = async (path, options = {}) => {
    const { as, expectedErrors = [], isKept = false, ...pageOptions } = options;
    const browser = await shareBrowser();
    const opened = await browser.openPage({
      ...DESKTOP,
      reducedMotion: 'reduce',
      baseURL: baseUrl,
      ...pageOptions,
    });
    pages.push({ opened, expectedErrors, isKept });
    opened.page.setDefaultTimeout(WAIT_MS);
    if (as) await opened.page.context().addCookies(await findCookies(as));
    await opened.page.goto(path);
    await opened.page.locator('h1').first().waitFor();
    return opened.page;
  };
  const closePages: Running['closePages'] = async ({ all } = { all: false }) => {
    const used = pages;
    pages = all ? [] : used.filter(({ isKept }) => isKept);
    const closing = used.filter((page) => !pages.includes(page));
    await Promise.all(closing.map(({ opened }) => opened.page.context().close()));
    const unexpected = used.flatMap(({ opened, expectedErrors }) =>
      opened.complaints
        .splice(0)
        .filter((text) => !expectedErrors.some((pattern) => pattern.test(text))),
    );
    expect(unexpected).toEqual([]);
    expect(used.flatMap(({ opened }) => opened.requests.splice(0).filter(isElsewhere))).toEqual([]);
  };
  const makePerson: Web['makePerson'] = (role, sandboxIds) =>
    addNumbered(service, role, sandboxIds);
  return { service, web: { ...service, open, makePerson }, closePages };
};

/** Whether a URL is on another machine. The app must not send such requests; in tests, external sign-in runs on this machine. */
const isElsewhere = (address: string): boolean => {
  const { protocol, hostname } = new URL(address);
  return /^(?:http|ws)s?:$/.test(protocol) && hostname !== '127.0.0.1' && hostname !== 'localhost';
};

/** One person and one sign-in per role, because hashing passwords is slow by design. */
const keepCookies = (service: Service) => {
  const kept = new Map<string, Promise<Cookie[]>>();
  return (as: Role | Person): Promise<Cookie[]> => {
    const key = typeof as === 'string' ? as : as.email;
    const known = kept.get(key);
    if (known) return known;
    const person = typeof as === 'string' ? addNumbered(service, as) : Promise.resolve(as);
    const made = person.then((found) => signIn(service.baseUrl, found));
    kept.set(key, made);
    return made;
  };
};

let count = 0;

const addNumbered = (
  { call }: Service,
  role: Role,
  sandboxIds?: readonly string[],
): Promise<Person> => {
  count += 1;
  const email = `${role}-${count}@example.com`;
  const name = `${role[0]?.toUpperCase()}${role.slice(1)} ${count}`;
  return addPerson(call, { email, password: PASSWORD, name, role, sandboxIds });
};
