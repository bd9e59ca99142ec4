// @muster/browser-testing: a real browser for tests, found on the machine and never downloaded.
export { findBrowser } from './find-browser.ts';
export type { OpenBrowser, OpenPage } from './open-browser.ts';
export { openBrowser, shareBrowser } from './open-browser.ts';
export type { Call, Cookie, Person } from './sign-in.ts';
export { addPerson, callAs, signIn } from './sign-in.ts';
