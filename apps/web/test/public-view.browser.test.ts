// The public view sends the same requests as REST clients.
import { beforeAll, expect, test } from 'vitest';
import { expectNoAxeViolations } from './support/accessibility.ts';
import { testInFull } from './support/extent.ts';
import { MARKUP, makeSandbox } from './support/sandboxes.ts';
import { PHONE, shareWeb } from './support/web.ts';

const web = shareWeb();
/** An API key that the test pastes into the form. */
let token: string;
beforeAll(async () => {
  const { account_id } = await web.call<{ account_id: string }>('keys.createAccount', {
    name: 'Reader',
  });
  const permissions = ['sandbox:config:view'];
  const made = await web.call<{ key: string }>('keys.create', {
    account_id,
    name: 'Reader',
    permissions,
  });
  token = made.key;
});

const editor = { as: 'editor' } as const;
const REFUSED = /status of (403|422)/;

const fillSandbox = async (names: readonly string[]) => {
  const sandbox = await makeSandbox(web);
  for (const name of names) await sandbox.addItem(name);
  return { ...sandbox, path: `/s/${sandbox.sandbox_id}/public` };
};

test('a history is read page by page with a key, and each request is shown as curl', async () => {
  const { sandbox_id, path } = await fillSandbox(['Axe', 'Bow', MARKUP]);
  const page = await web.open(path, editor);
  await page.getByLabel('Page size').fill('2');
  await page.getByRole('textbox', { name: 'Bearer token' }).fill(token);
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByText('2 of 3 versions').waitFor();
  await page.getByText('200 OK').waitFor();
  const line = page.getByRole('region', { name: 'request line' });
  expect(await line.textContent()).toBe(`GET /v1/history/sandbox/${sandbox_id}/item/?page_size=2`);
  const curl = await page.getByRole('region', { name: 'curl' }).textContent();
  expect(curl).toContain('Bearer $TOKEN');
  expect(curl).not.toContain(token);
  const answer = page.getByRole('region', { name: 'answer' });
  expect(await answer.textContent()).toContain('onerror');
  await expectNoAxeViolations(page);
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByText('1 of 3 versions, the last page').waitFor();
  expect(await line.textContent()).toContain('cursor=');
  expect(await page.getByRole('button', { name: 'Next' }).isDisabled()).toBe(true);
  await page.getByRole('button', { name: 'Previous' }).click();
  await page.getByText('2 of 3 versions').waitFor();
  expect(page.url()).not.toContain(token);
  const stored = await page.evaluate(() => JSON.stringify([{ ...localStorage }, document.cookie]));
  expect(stored).not.toContain(token);
});

testInFull('filters are part of the URL, and are sent as documented', async () => {
  const { path } = await fillSandbox(['Axe', 'Bow']);
  const page = await web.open(`${path}?name=ax&sort_order=asc`, editor);
  await page.getByRole('textbox', { name: 'Bearer token' }).fill(token);
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByText('1 of 1 version, the last page').waitFor();
  const line = await page.getByRole('region', { name: 'request line' }).textContent();
  expect(line).toContain('name=ax');
  expect(line).toContain('sort_order=asc');
});

testInFull(
  'does not use the session of the page, and shows the whole error without a token',
  async () => {
    const { path } = await fillSandbox(['Axe']);
    const page = await web.open(path, { ...editor, expectedErrors: [REFUSED] });
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText(/^403/).waitFor();
    await page
      .getByRole('alert')
      .getByText(/auth_missing/)
      .waitFor();
    await page.getByText('"auth_success": false').waitFor();
    await expectNoAxeViolations(page);
  },
);

testInFull('shows problems at their fields, and keeps the input', async () => {
  const { path } = await fillSandbox(['Axe']);
  const page = await web.open(path, { ...editor, expectedErrors: [REFUSED] });
  await page.getByRole('textbox', { name: 'Bearer token' }).fill(token);
  await page.getByLabel('Page size').fill('5000');
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByText(/^422/).waitFor();
  await page.getByText('Must be at most 1000.', { exact: true }).waitFor();
  const size = page.getByLabel('Page size');
  expect(await size.getAttribute('aria-invalid')).toBe('true');
  expect(await size.inputValue()).toBe('5000');
  await page.getByLabel('Legacy ids').fill('seven');
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByText('Not a whole number: seven').waitFor();
});

testInFull('requests are composed and sent with the keyboard only, also by a viewer', async () => {
  const { path } = await fillSandbox(['Axe', 'Axe 2', 'Bow']);
  const page = await web.open(path, { as: 'viewer' });
  const { keyboard } = page;
  const type = async (label: string, text: string) => {
    for (let presses = 0; presses < 60; presses += 1) {
      const focused = await page.evaluate(
        () => (document.activeElement as HTMLInputElement | null)?.labels?.[0]?.textContent,
      );
      if (focused === label) return keyboard.insertText(text);
      await keyboard.press('Tab');
    }
    throw new Error(`Tab does not reach ${label}.`);
  };
  await keyboard.press('/');
  await keyboard.insertText('axe');
  await type('Page size', '1');
  await type('Bearer token', token);
  await keyboard.press('Enter');
  await page.getByText('1 of 2 versions').waitFor();
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Page 1');
  await page.getByRole('button', { name: 'Next' }).press('Enter');
  await page.getByText('1 of 2 versions, the last page').waitFor();
});

testInFull('the page fits a phone, before and after a response', async () => {
  const { path } = await fillSandbox(['Axe']);
  const page = await web.open(path, { ...editor, ...PHONE });
  const width = () => page.evaluate(() => document.documentElement.scrollWidth);
  expect(await width()).toBe(390);
  await expectNoAxeViolations(page);
  await page.getByRole('textbox', { name: 'Bearer token' }).fill(token);
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByText('1 of 1 version, the last page').waitFor();
  expect(await width()).toBe(390);
});
