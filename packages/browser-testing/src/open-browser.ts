// Opens pages in a headless browser and writes down everything that a page may not do in a test.
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { chromium } from 'playwright-core';
import { findBrowser } from './find-browser.ts';

/**
 * A whole Chromium, unlike its headless shell, loads two pages of its address bar for each window and keeps a renderer
 * ready for the next one. Together they took as much processor time as the page under test.
 */
const BROWSER_PARTS = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxFullPopup',
  'PreloadTopChromeWebUI',
  'SpareRendererForSitePerProcess',
];

/**
 * From Playwright's own list of features that it switches off. Chromium obeys only the last flag of that name, so what
 * matters to a page on loopback is repeated here.
 */
const PLAYWRIGHT_CHOICE = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
];

/** The sandbox of Chromium does not start as root; a browser that only opens our pages does without. */
const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  // Saves a process, which takes a tenth of the processor time of a page.
  '--in-process-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${[...BROWSER_PARTS, ...PLAYWRIGHT_CHOICE].join()}`,
];

export type OpenPage = {
  page: Page;
  /** Errors of the console, breaches of the content security policy, exceptions: in order. */
  complaints: string[];
  /** Addresses of all requests that the page made, in order. */
  requests: string[];
};

export type OpenBrowser = {
  /** A page with cookies and storage of its own. */
  openPage(options?: BrowserContextOptions): Promise<OpenPage>;
  close(): Promise<void>;
};

export const openBrowser = async (flags: readonly string[] = []): Promise<OpenBrowser> => {
  const executablePath = findBrowser();
  const browser = await chromium.launch({ executablePath, args: [...FLAGS, ...flags] });
  return {
    openPage: (options) => openPage(browser, options),
    close: () => browser.close(),
  };
};

let shared: Promise<OpenBrowser> | undefined;

/** A page of a test lives for seconds, which is too short for V8's optimizing compiler to pay off. */
const SHORT_LIVED = ['--js-flags=--no-opt'];

/**
 * The one browser of this process, opened on first use. It ends with the process. Chromium has crashed while it started
 * (a segmentation fault), so a failed start is repeated once.
 */
export const shareBrowser = (): Promise<OpenBrowser> =>
  (shared ??= openBrowser(SHORT_LIVED).catch(() => openBrowser(SHORT_LIVED)));

const openPage = async (browser: Browser, options?: BrowserContextOptions): Promise<OpenPage> => {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const complaints: string[] = [];
  const requests: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('request', (request) => requests.push(request.url()));
  return { page, complaints, requests };
};
