// What a browser test works with: the service, the built app, and a real browser in front of them.
import type { Cookie, OpenBrowser, OpenPage, Person } from '@muster/browser-testing';
import { addPerson, shareBrowser, signIn } from '@muster/browser-testing';
import type { Role } from '@muster/contract';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import type { Service, ServiceOptions } from './service.ts';
import { startService } from './service.ts';

export type Page = OpenPage['page'];

export type Web = Omit<Service, 'stop'> & {
  /**
   * A page with cookies and storage of its own, until the end of the test. It is signed in as a person of the role,
   * or as the person; without `as` it is not signed in. Answers when the page has its heading. The test fails when
   * the console has an error.
   */
  open(path: string, options?: PageOptions): Promise<Page>;
  /** A new person, to be used as `as`. Without `sandboxIds` the role reaches every sandbox. */
  makePerson(role: Role, sandboxIds?: readonly string[]): Promise<Person>;
};

export type PageOptions = Parameters<OpenBrowser['openPage']>[0] & {
  as?: Role | Person;
  /** Errors of the console that the test provokes: the browser reports each refused request as one. */
  expectedErrors?: readonly RegExp[];
  /** Stays open for the tests that follow in the file. Each of them fails when the console has a new error. */
  isKept?: boolean;
};

export const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true } as const;
export const DESKTOP = { viewport: { width: 1440, height: 900 } } as const;

const WAIT_MS = 30_000;
const PASSWORD = 'a long password of the web tests';

type Running = {
  service: Service;
  web: Web;
  /** Also closes the pages that are kept, at the end of a file. */
  closePages: (options?: { all: boolean }) => Promise<void>;
};

let shared: Promise<Running> | undefined;

/**
 * The service that all test files of this worker share, each with sandboxes, sessions and people of its own. Lists
 * that are not of one sandbox hold what other files made.
 */
export const shareWeb = (): Web =>
  provide(
    () => (shared ??= start()),
    async () => {},
  );

/** A service of this file's own: for tests that change what is one for all, or want other settings. */
export const startOwnWeb = (
  getOptions: () => ServiceOptions | Promise<ServiceOptions> = () => ({}),
): Web =>
  provide(
    async () => start(await getOptions()),
    ({ service }) => service.stop(),
  );

/** Registers the hooks of the file. What it answers can be used in hooks and tests. */
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

/** Fonts, scripts and answers come from the service: only a sign-in elsewhere leaves it, to this machine in tests. */
const isElsewhere = (address: string): boolean => {
  const { protocol, hostname } = new URL(address);
  return /^(?:http|ws)s?:$/.test(protocol) && hostname !== '127.0.0.1' && hostname !== 'localhost';
};

/** One person and one sign-in per role: making people hashes passwords, which takes its time on purpose. */
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
