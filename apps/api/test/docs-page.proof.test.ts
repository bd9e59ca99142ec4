// The docs page in a real browser.
import type { OpenBrowser, OpenPage } from '@muster/browser-testing';
import { openBrowser } from '@muster/browser-testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestService } from './test-service.ts';
import { startTestService } from './test-service.ts';

const WAIT_MS = 30_000;

let service: TestService;
let browser: OpenBrowser;
let opened: OpenPage;
beforeAll(async () => {
  service = await startTestService();
  browser = await openBrowser();
  opened = await browser.openPage();
  opened.page.setDefaultTimeout(WAIT_MS);
  await opened.page.goto(`${service.baseUrl}/docs`);
  await opened.page.locator('.opblock').first().waitFor();
});
afterAll(async () => {
  await browser?.close();
  await service?.close();
});

const listHosts = ({ requests }: OpenPage): string[] => [
  ...new Set(requests.filter((url) => !url.startsWith('data:')).map((url) => new URL(url).origin)),
];

describe('the docs page', () => {
  test('shows the three operations and links to both documents', async () => {
    const { page } = opened;
    const paths = await page.locator('.opblock-summary-path').allTextContents();
    expect(paths.map((path) => path.replaceAll('\u200b', ''))).toEqual([
      '/session/v1/platform/{platform}/platform-session/{platform_session_id_base64}/player/{player_uuid}',
      '/v1/history/sandbox/{sandbox_id}/item/',
      '/v1/history/sandbox/{sandbox_id}/xp/',
    ]);
    const links = await page
      .locator('nav a')
      .evaluateAll((all) => all.map((link) => link.getAttribute('href')));
    expect(links).toEqual([
      '/docs',
      '/docs?api=companion',
      '/docs?api=admin',
      '/openapi.json',
      '/openapi-3.0.json',
      '/openapi-companion.json',
      '/admin/openapi.json',
      '/THIRD-PARTY-LICENSES.txt',
    ]);
  });

  test('shows the three companion operations', async () => {
    const { page } = await browser.openPage();
    await page.goto(`${service.baseUrl}/docs?api=companion`);
    await page.locator('.opblock').first().waitFor({ timeout: WAIT_MS });
    const summaries = await page.locator('.opblock-summary-description').allTextContents();
    expect(summaries.toSorted()).toEqual([
      'Leave a session',
      'List the sessions of a player',
      'Read a session',
    ]);
  });

  test('calls a procedure of the admin API with a pasted token', async () => {
    const { page, complaints } = await browser.openPage();
    await page.goto(`${service.baseUrl}/docs?api=admin`);
    await page.locator('.authorize').first().click();
    await page
      .locator('.auth-container input')
      .first()
      .fill(await service.signToken());
    await page.locator('.auth-btn-wrapper .authorize').first().click();
    await page.locator('.auth-btn-wrapper .btn-done').first().click();
    await page.locator('#operations-tag-sessionTypes').click();
    const operation = page.locator('#operations-sessionTypes-sessionTypesList');
    await operation.locator('.opblock-summary').click();
    await operation.locator('.try-out__btn').click();
    await operation.locator('.execute').click();
    const answer = operation.locator('.live-responses-table');
    await answer.locator('tbody .response-col_status').first().waitFor();
    expect(await answer.textContent()).toContain('"session_types": []');
    expect(complaints).toEqual([]);
  });

  test('lists a history with a pasted token, without errors or other hosts', async () => {
    const { page } = opened;
    await page.locator('.authorize').first().click();
    await page.locator('.auth-container input').fill(await service.signToken());
    await page.locator('.auth-btn-wrapper .authorize').click();
    await page.locator('.auth-btn-wrapper .btn-done').click();
    await page.locator('#operations-Histories-listItemHistory .opblock-summary').click();
    await page.locator('#operations-Histories-listItemHistory .try-out__btn').click();
    await page.locator('#operations-Histories-listItemHistory .execute').click();
    const answer = page.locator('#operations-Histories-listItemHistory .live-responses-table');
    const status = answer.locator('tbody .response-col_status').first();
    await status.waitFor();
    expect(await status.textContent()).toContain('200');
    expect(await answer.textContent()).toContain('"transactions": []');
    expect(listHosts(opened)).toEqual([service.baseUrl]);
    expect(opened.complaints).toEqual([]);
  });

  test('uses the preferred colour scheme of the reader', async () => {
    const expectBackground = async (colorScheme: 'light' | 'dark', colour: string) => {
      await opened.page.emulateMedia({ colorScheme });
      const readBackground = () =>
        opened.page.evaluate('getComputedStyle(document.body).backgroundColor');
      await expect.poll(readBackground).toBe(colour);
    };
    await expectBackground('light', 'rgb(250, 250, 250)');
    await expectBackground('dark', 'rgb(28, 32, 34)');
    expect(opened.complaints).toEqual([]);
  });
});
