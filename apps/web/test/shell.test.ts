// The shell in a real browser: what every page has around it.
import type { OpenPage } from '@muster/browser-testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectNoAxeViolations } from './check/expect-no-axe-violations.ts';
import { expectNoComplaints } from './check/expect-no-complaints.ts';
import type { Web } from './start/start-web.ts';
import { PHONE, startWeb } from './start/start-web.ts';

let web: Web;
beforeAll(async () => {
  web = await startWeb();
  await web.call('sandboxes.create', { name: 'Development' });
});
afterAll(() => web?.stop());

const owner = { as: 'owner' } as const;

/** Where the focus is, by its accessible words. */
const focused = ({ page }: OpenPage) =>
  page.evaluate(() => {
    const element = document.activeElement;
    if (!element || element === document.body) return 'nothing';
    return element.getAttribute('aria-label') ?? element.textContent;
  });

describe('the shell', () => {
  test('asks strangers to sign in, and remembers where they wanted to go', async () => {
    const opened = await web.open('/audit?action=items.update');
    await opened.page.waitForURL(/\/login\?next=/);
    expect(new URL(opened.page.url()).searchParams.get('next')).toBe('/audit?action=items.update');
    await expectNoAxeViolations(opened.page);
    expectNoComplaints(opened);
  });

  test('leads from / to the overview of a sandbox, without a complaint', async () => {
    const opened = await web.open('/', owner);
    await opened.page.waitForURL('**/s/*');
    await expect.poll(() => opened.page.title()).toMatch(/ · Muster$/);
    await expectNoAxeViolations(opened.page);
    expectNoComplaints(opened);
  });

  test('shows people what their role opens, and nothing else', async () => {
    const linksOf = async (as: 'owner' | 'viewer') => {
      const { page } = await web.open('/settings', { as });
      return page.getByRole('navigation', { name: 'Main' }).getByRole('link').allTextContents();
    };
    expect(await linksOf('owner')).toEqual(expect.arrayContaining(['Import', 'Keys', 'People']));
    const viewer = await linksOf('viewer');
    expect(viewer).toEqual(expect.arrayContaining(['Items', 'Sessions', 'Audit']));
    for (const closed of ['Import', 'Keys', 'People']) expect(viewer).not.toContain(closed);
  });

  test('is walked by keyboard: skip link, palette, help', async () => {
    const opened = await web.open('/settings', owner);
    const { page } = opened;
    await page.keyboard.press('Tab');
    expect(await focused(opened)).toBe('Skip to content');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('main');

    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await expectNoAxeViolations(page);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });

    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: /^Search records/ }).waitFor();
    await expectNoAxeViolations(page);
    await page.keyboard.type('session typ');
    await page.getByRole('option', { name: 'Session types' }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/session-types');
    await expect.poll(() => focused(opened)).toBe('Session types');
    expectNoComplaints(opened);
  });

  test('has its navigation in a drawer on a phone', async () => {
    const opened = await web.open('/sessions', { ...owner, ...PHONE });
    const { page } = opened;
    await page.getByRole('button', { name: 'Open navigation' }).click();
    await expectNoAxeViolations(page);
    await page.getByRole('dialog').getByRole('link', { name: 'Players' }).click();
    await page.waitForURL('**/players');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    expectNoComplaints(opened);
  });

  test('keeps the choice of colours and of the time zone', async () => {
    const { page } = await web.open('/settings', owner);
    await page.getByRole('button', { name: 'Switch to dark colours' }).click();
    await page.getByRole('button', { name: /switch to UTC/ }).click();
    await page.reload();
    await page.getByRole('button', { name: 'Switch to light colours' }).waitFor();
    await page.getByRole('button', { name: /^Times in UTC/ }).waitFor();
  });
});
