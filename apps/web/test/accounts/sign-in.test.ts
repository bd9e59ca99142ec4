// Getting in, in a real browser: one-time passwords, invitations, second factors, and who stays out.
import type { OpenPage } from '@muster/browser-testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectNoAxeViolations } from '../check/expect-no-axe-violations.ts';
import { expectNoComplaints } from '../check/expect-no-complaints.ts';
import type { Web } from '../start/start-web.ts';
import { PHONE, startWeb } from '../start/start-web.ts';
import { makeCode } from '../start/totp.ts';
import { askAdmin } from './ask-admin.ts';

let web: Web;
beforeAll(async () => {
  web = await startWeb();
  await web.call('sandboxes.create', { name: 'Development' });
});
afterAll(() => web?.stop());

/** What the browser says of every request that was refused on purpose. */
const REFUSED = [/status of 4\d\d/];
const OWN = 'a password that only I know';
/** Several people and several sign-ins, each with its hashing, on a busy machine. */
const LONG_MS = 180_000;

const typePassword = async ({ page }: OpenPage, email: string, password: string) => {
  await page.getByRole('textbox', { name: 'E-mail' }).fill(email);
  await page.getByRole('textbox', { name: 'Password' }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
};
const accountIdOf = async (email: string) => {
  const { people } = await askAdmin<{ people: { email: string; account_id: string }[] }>(
    web.baseUrl,
    'people.list',
  );
  return people.find((person) => person.email === email)?.account_id ?? '';
};

describe('signing in', () => {
  test('begins and ends with a clean console, from / to the first page and out again', async () => {
    const { email, password } = await web.makePerson('viewer');
    const opened = await web.open('/');
    const { page } = opened;
    await page.waitForURL('**/login');
    await typePassword(opened, email, password);
    await page.waitForURL('**/s/*');
    await page.getByRole('button', { name: 'Account' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expectNoComplaints(opened);
  });

  test('with a one-time password leads to a password of one’s own, and only then in', async () => {
    const { email } = await web.makePerson('editor');
    const account_id = await accountIdOf(email);
    const { one_time_password } = await web.call<{ one_time_password: string }>(
      'people.resetPassword',
      { account_id },
    );
    const opened = await web.open('/login?next=%2Fsettings');
    const { page } = opened;
    await typePassword(opened, email, one_time_password);
    await page.getByRole('heading', { name: 'Choose a password' }).waitFor();
    await page.goto('/settings');
    await page.getByRole('heading', { name: 'Choose a password' }).waitFor();
    await page.getByLabel('One-time password').fill(one_time_password);
    await page.getByLabel('New password').fill('short');
    await page.getByRole('button', { name: 'Save and continue' }).click();
    await page.getByText('This has 5 characters: take at least 12.').waitFor();
    await expectNoAxeViolations(page);
    await page.getByLabel('New password').fill(OWN);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Settings' }).waitFor();
    expectNoComplaints(opened);
  });

  test('says what is wrong at the field and above the form, and loses nothing typed', async () => {
    const opened = await web.open('/login');
    const { page } = opened;
    expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('email');
    await page.keyboard.press('Enter');
    await page.getByText('Type the e-mail address of your account.').waitFor();
    await typePassword(opened, 'nobody@example.com', 'not the password');
    await page
      .getByRole('alert')
      .getByText(/do not belong together/)
      .waitFor();
    expect(await page.getByRole('textbox', { name: 'E-mail' }).inputValue()).toBe(
      'nobody@example.com',
    );
    await expectNoAxeViolations(page);
    expectNoComplaints(opened, REFUSED);
  });

  test('says how long to wait after too many attempts', async () => {
    const opened = await web.open('/login', PHONE);
    const { page } = opened;
    const email = 'guessed@example.com';
    for (let count = 0; count < 6; count += 1) {
      await Promise.all([
        page.waitForResponse('**/sign-in/email'),
        typePassword(opened, email, 'not the password'),
      ]);
    }
    await page.getByText(/Try again in \d+ min \d+ s\./).waitFor();
    expect(await page.getByRole('button', { name: 'Sign in' }).isDisabled()).toBe(true);
    await expectNoAxeViolations(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    expectNoComplaints(opened, REFUSED);
  });

  test.each(['//evil.example/', 'https://evil.example/', '/\\evil.example', '/..//evil.example'])(
    'never leads to %s',
    async (next) => {
      const { email, password } = await web.makePerson('viewer');
      const opened = await web.open(`/login?next=${encodeURIComponent(next)}`);
      await typePassword(opened, email, password);
      await opened.page.getByRole('navigation', { name: 'Main' }).waitFor();
      expect(new URL(opened.page.url()).origin).toBe(web.baseUrl);
    },
  );
});

test('an invitation makes an account and signs it in; the link works once', {
  timeout: LONG_MS,
}, async () => {
  const owner = await web.open('/people', { as: 'owner' });
  await owner.page.keyboard.press('n');
  await owner.page.getByRole('dialog', { name: 'Invite somebody' }).waitFor();
  await expectNoAxeViolations(owner.page);
  await owner.page.getByRole('textbox', { name: 'E-mail' }).fill('new@example.com');
  await owner.page.getByRole('radio', { name: 'Editor' }).check();
  await owner.page.getByRole('button', { name: 'Make the link' }).click();
  const link =
    (await owner.page.locator('code').filter({ hasText: '#token=' }).textContent()) ?? '';
  await expectNoAxeViolations(owner.page);
  expectNoComplaints(owner);

  const path = link.slice(web.baseUrl.length);
  const opened = await web.open(path);
  const { page } = opened;
  await page.getByText(/invited as editor/).waitFor();
  await expectNoAxeViolations(page);
  await page.getByLabel('Your name').fill('Nora <b>New</b>');
  await page.getByRole('textbox', { name: 'Password' }).fill(OWN);
  await page.getByRole('button', { name: 'Make my account' }).click();
  await page.getByRole('navigation', { name: 'Main' }).waitFor();
  await page.getByRole('button', { name: 'Account' }).click();
  await page.getByText('Nora <b>New</b>').waitFor();
  expectNoComplaints(opened);

  const late = await web.open(path);
  await late.page.getByText(/unknown, used, revoked or expired/).waitFor();
});

test('a second factor is set up with a code, asked for, and opened by a backup code once', {
  timeout: LONG_MS,
}, async () => {
  const person = await web.makePerson('viewer');
  const opened = await web.open('/settings', { as: person });
  const { page } = opened;
  await page.getByRole('button', { name: 'Set it up' }).click();
  await page.getByLabel('Your password').fill(person.password);
  await page.keyboard.press('Enter');
  await page.getByRole('img', { name: /QR code/ }).waitFor();
  await expectNoAxeViolations(page);
  const dialog = page.getByRole('dialog');
  const secret = (await dialog.locator('code').textContent()) ?? '';
  await dialog.getByLabel('Code', { exact: true }).fill(makeCode(secret));
  await page.keyboard.press('Enter');
  await page.getByText('Keep these backup codes').waitFor();
  await expectNoAxeViolations(page);
  const [backup = ''] = ((await dialog.locator('code').textContent()) ?? '').split('\n');
  await page.getByRole('button', { name: 'I have kept them' }).click();
  await page.getByRole('button', { name: 'Switch off' }).waitFor();
  expectNoComplaints(opened);

  const byCode = await web.open('/login');
  await typePassword(byCode, person.email, person.password);
  await byCode.page.getByRole('heading', { name: 'Second step' }).waitFor();
  await expectNoAxeViolations(byCode.page);
  await byCode.page.getByLabel('Code', { exact: true }).fill('000000');
  await byCode.page.keyboard.press('Enter');
  await byCode.page.getByText(/The code is not right/).waitFor();
  // A code works once: the next one is accepted already.
  await byCode.page.getByLabel('Code', { exact: true }).fill(makeCode(secret, 1));
  await byCode.page.keyboard.press('Enter');
  await byCode.page.getByRole('navigation', { name: 'Main' }).waitFor();

  const openWithBackup = async () => {
    const again = await web.open('/login');
    await typePassword(again, person.email, person.password);
    await again.page.getByRole('button', { name: 'Use a backup code' }).click();
    await again.page.getByLabel('Backup code').fill(backup);
    await again.page.keyboard.press('Enter');
    return again.page;
  };
  await (await openWithBackup()).getByRole('navigation', { name: 'Main' }).waitFor();
  await (await openWithBackup()).getByText(/was used already/).waitFor();
});
