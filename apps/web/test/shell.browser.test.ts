// The shell around every page, in a real browser.
import { beforeAll, describe, expect, test } from 'vitest';
import { expectNoAxeViolations, expectToFitPhone } from './support/accessibility.ts';
import { firstOf, testInFull } from './support/extent.ts';
import type { Page } from './support/web.ts';
import { PHONE, shareWeb } from './support/web.ts';

const web = shareWeb();
beforeAll(async () => {
  await web.call('sandboxes.create', { name: 'Development' });
});

const owner = { as: 'owner' } as const;

/** The accessible name of the focused element. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const element = document.activeElement;
    if (!element || element === document.body) return 'nothing';
    return element.getAttribute('aria-label') ?? element.textContent;
  });

describe('the shell', () => {
  test('asks unauthenticated users to sign in, and then opens the requested page', async () => {
    const page = await web.open('/audit?action=items.update');
    await page.waitForURL(/\/login\?next=/);
    expect(new URL(page.url()).searchParams.get('next')).toBe('/audit?action=items.update');
    await expectNoAxeViolations(page);
  });

  test('redirects from / to the overview of a sandbox without an error', async () => {
    const page = await web.open('/', owner);
    await page.waitForURL('**/s/*');
    await expect.poll(() => page.title()).toMatch(/ · Muster$/);
    await expectNoAxeViolations(page);
  });

  test('shows only the pages that the role may open', async () => {
    const linksOf = async (as: 'owner' | 'viewer') => {
      const page = await web.open('/settings', { as });
      return page.getByRole('navigation', { name: 'Main' }).getByRole('link').allTextContents();
    };
    expect(await linksOf('owner')).toEqual(expect.arrayContaining(['Import', 'Keys', 'People']));
    const viewer = await linksOf('viewer');
    expect(viewer).toEqual(expect.arrayContaining(['Items', 'Sessions', 'Audit']));
    for (const closed of ['Import', 'Keys', 'People']) expect(viewer).not.toContain(closed);
  });

  test.each(firstOf([767, 768, 769]))(
    'has a navigation on a screen of %i pixels',
    async (width) => {
      const page = await web.open('/settings', { ...owner, viewport: { width, height: 1_024 } });
      const open = page.getByRole('button', { name: 'Open navigation' });
      const navigation = page.getByRole('navigation', { name: 'Main' });
      await open.or(navigation).filter({ visible: true }).first().waitFor();
      if (await open.isVisible()) await open.click();
      await navigation.getByRole('link', { name: 'Players' }).filter({ visible: true }).waitFor();
    },
  );

  testInFull('works with the keyboard: skip link, palette, help', async () => {
    const page = await web.open('/settings', owner);
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('Skip to content');
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
    await expect.poll(() => focused(page)).toBe('Session types');
  });

  testInFull('links to the licences of all bundled packages', async () => {
    const page = await web.open('/settings', { as: 'viewer' });
    await page.getByRole('button', { name: 'Account' }).click();
    const opened = page.waitForEvent('popup');
    await page.getByRole('menuitem', { name: 'Third-party licences' }).click();
    const licences = await opened;
    await licences.waitForLoadState();
    const text = (await licences.textContent('body')) ?? '';
    for (const name of ['react', '@mantine/core', '@fontsource-variable/inter', '@tabler/icons']) {
      expect(text).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+\\nLicence: `, 'm'));
    }
    expect(text).toContain('SIL OPEN FONT LICENSE');
    expect(text).toContain('Paweł Kuna');
  });

  testInFull('has its navigation in a drawer on a phone', async () => {
    const page = await web.open('/sessions', { ...owner, ...PHONE });
    await page.getByRole('button', { name: 'Open navigation' }).click();
    await expectNoAxeViolations(page);
    await page.getByRole('dialog').getByRole('link', { name: 'Players' }).click();
    await page.waitForURL('**/players');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expectToFitPhone(page);
  });

  test('shows a not-found page for unknown URLs, in and outside of a sandbox', async () => {
    const page = await web.open('/nowhere/at/all', { ...owner, expectedErrors: [/404/] });
    await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor();
    await page.getByRole('link', { name: 'Go to the overview' }).click();
    await page.waitForURL('**/s/*');
    await page.goto(`${page.url()}/nowhere`);
    await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor();
    await expectNoAxeViolations(page);
  });

  testInFull(
    'shows neither a sandbox nor the colour of production on pages of the whole service',
    async () => {
      const { sandbox_id } = await web.call<{ sandbox_id: string }>('sandboxes.create', {
        name: 'Coloured',
      });
      await web.call('sandboxes.update', { sandbox_id, protected: true });
      const page = await web.open(`/s/${sandbox_id}`, owner);
      const switcher = page.getByRole('combobox', { name: /^Sandbox/ });
      const paint = () => switcher.evaluate((node) => getComputedStyle(node).backgroundColor);
      expect(await switcher.inputValue()).toBe('Coloured · protected');
      const production = await paint();
      const nav = page.getByRole('navigation', { name: 'Main' });
      await nav.getByRole('link', { name: 'Sessions', exact: true }).click();
      await page.getByText('Whole service').waitFor();
      expect(await switcher.inputValue()).toBe('');
      expect(await switcher.getAttribute('placeholder')).toBe('All sandboxes');
      expect(await paint()).not.toBe(production);
    },
  );

  testInFull('uses its own font on any machine, with digits of equal width', async () => {
    const page = await web.open('/system', owner);
    const cell = page.getByRole('table').locator('.numbers').first();
    await cell.waitFor();
    const { isLoaded, family } = await page.evaluate(async () => {
      await document.fonts.ready;
      const { fontFamily } = getComputedStyle(document.body);
      const faces = [...document.fonts].filter(({ status }) => status === 'loaded');
      return {
        isLoaded: faces.some(({ family }) => family.includes('Inter Variable')),
        family: fontFamily,
      };
    });
    expect(isLoaded).toBe(true);
    expect(family).toMatch(/^"Inter Variable"/);
    const numbers = await cell.evaluate((node) => getComputedStyle(node).fontVariantNumeric);
    expect(numbers).toBe('tabular-nums');
  });

  testInFull('explains every permission that it names', async () => {
    const page = await web.open('/sandboxes', { as: 'viewer' });
    await page.getByRole('button', { name: 'New sandbox' }).focus();
    const tip = page.getByRole('tooltip');
    await tip.getByText(/the permission “Manage sandboxes: .+” \(sandbox:\*\)/).waitFor();
  });

  testInFull('remembers the colour scheme and the time zone', async () => {
    const page = await web.open('/settings', owner);
    await page.getByRole('button', { name: 'Switch to dark colours' }).click();
    await page.getByRole('button', { name: /switch to UTC/ }).click();
    await page.reload();
    await page.getByRole('button', { name: 'Switch to light colours' }).waitFor();
    await page.getByRole('button', { name: /^Times in UTC/ }).waitFor();
  });
});
