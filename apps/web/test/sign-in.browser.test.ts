// Signing in, in a real browser: one-time passwords, invitations, second factors, and refusals.
import { beforeAll, describe, expect, test } from 'vitest';
import { expectNoAxeViolations, expectToFitPhone } from './support/accessibility.ts';
import { firstOf, testInFull } from './support/extent.ts';
import { makeCode } from './support/totp.ts';
import type { Page } from './support/web.ts';
import { PHONE, shareWeb } from './support/web.ts';

const web = shareWeb();
beforeAll(async () => {
  await web.call('sandboxes.create', { name: 'Development' });
});

/** The browser's message for each request that a test expects to be refused. */
const REFUSED = [/status of 4\d\d/];
const OWN = 'a password that only I know';
/** Several people and several sign-ins, each with its hashing, on a busy machine. */
const LONG_MS = 180_000;

const typePassword = async (page: Page, email: string, password: string) => {
  await page.getByRole('textbox', { name: 'E-mail' }).fill(email);
  await page.getByRole('textbox', { name: 'Password' }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
};
const chooseSignOut = async (page: Page) => {
  await page.getByRole('button', { name: 'Account' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
};
const accountIdOf = async (email: string) => {
  const { people } = await web.query<{ people: { email: string; account_id: string }[] }>(
    'people.list',
  );
  return people.find((person) => person.email === email)?.account_id ?? '';
};

describe('signing in', () => {
  testInFull('logs no error, from / to the first page and back to the sign-in', async () => {
    const { email, password } = await web.makePerson('viewer');
    const page = await web.open('/');
    await page.waitForURL('**/login');
    await typePassword(page, email, password);
    await page.waitForURL('**/s/*');
    await chooseSignOut(page);
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  });

  test('ends the queries in progress, or repeats them when the sign-out fails', async () => {
    const person = await web.makePerson('viewer');
    const page = await web.open('/settings', { as: person, expectedErrors: [/status of 503/] });
    const signedOut = Promise.withResolvers<void>();
    const answers: Promise<unknown>[] = [];
    await page.route('**/players.list?**', async (route) => {
      answers.push(signedOut.promise.then(() => route.request().response()));
      await signedOut.promise;
      await route.continue().catch(() => {});
    });
    const asked = page.waitForRequest('**/players.list?**');
    await page.getByRole('link', { name: 'Players' }).click();
    await asked;
    const failed = { status: 503, json: {} };
    await page.route('**/sign-out', (route) => route.fulfill(failed), { times: 1 });
    const askedAgain = page.waitForRequest('**/players.list?**');
    await chooseSignOut(page);
    await page.getByText('The service answered 503.').waitFor();
    await askedAgain;
    await page.route('**/sign-out', async (route) => {
      const response = await route.fetch();
      signedOut.resolve();
      await Promise.all(answers);
      await route.fulfill({ response });
    });
    await chooseSignOut(page);
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  });

  testInFull('with a one-time password requires a new password first', async () => {
    const { email } = await web.makePerson('editor');
    const account_id = await accountIdOf(email);
    const { one_time_password } = await web.call<{ one_time_password: string }>(
      'people.resetPassword',
      { account_id },
    );
    const page = await web.open('/login?next=%2Fsettings');
    await typePassword(page, email, one_time_password);
    await page.getByRole('heading', { name: 'Choose a password' }).waitFor();
    await page.goto('/settings');
    await page.getByRole('heading', { name: 'Choose a password' }).waitFor();
    await page.getByLabel('One-time password').fill(one_time_password);
    await page.getByLabel('New password').fill('short');
    await page.getByRole('button', { name: 'Save and continue' }).click();
    await page.getByText('This has 5 characters: use at least 12.').waitFor();
    await expectNoAxeViolations(page);
    await page.getByLabel('New password').fill(OWN);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Settings' }).waitFor();
  });

  test('shows errors at the field and above the form, and keeps the input', async () => {
    const page = await web.open('/login', { expectedErrors: REFUSED });
    expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('email');
    await page.keyboard.press('Enter');
    await page.getByText('Enter the e-mail address of your account.').waitFor();
    await typePassword(page, 'nobody@example.com', 'not the password');
    await page
      .getByRole('alert')
      .getByText(/do not belong together/)
      .waitFor();
    expect(await page.getByRole('textbox', { name: 'E-mail' }).inputValue()).toBe(
      'nobody@example.com',
    );
    await expectNoAxeViolations(page);
  });

  testInFull('shows how long to wait after too many attempts', async () => {
    const page = await web.open('/login', { ...PHONE, expectedErrors: REFUSED });
    const email = 'guessed@example.com';
    for (let count = 0; count < 6; count += 1) {
      await Promise.all([
        page.waitForResponse('**/sign-in/email'),
        typePassword(page, email, 'not the password'),
      ]);
    }
    await page.getByText(/Try again in \d+ min \d+ s\./).waitFor();
    expect(await page.getByRole('button', { name: 'Sign in' }).isDisabled()).toBe(true);
    await expectNoAxeViolations(page);
    await expectToFitPhone(page);
  });

  test.each(
    firstOf(['/\\evil.example', '//evil.example/', 'https://evil.example/', '/..//evil.example']),
  )('never leads to %s', async (next) => {
    const { email, password } = await web.makePerson('viewer');
    const page = await web.open(`/login?next=${encodeURIComponent(next)}`);
    await typePassword(page, email, password);
    await page.getByRole('navigation', { name: 'Main' }).waitFor();
    expect(new URL(page.url()).origin).toBe(web.baseUrl);
  });
});

test('creates an account from an invitation and signs it in; the link works once', {
  timeout: LONG_MS,
}, async () => {
  const owner = await web.open('/people', { as: 'owner' });
  await owner.keyboard.press('n');
  await owner.getByRole('dialog', { name: 'Invite a person' }).waitFor();
  await expectNoAxeViolations(owner);
  await owner.getByRole('textbox', { name: 'E-mail' }).fill('new@example.com');
  await owner.getByRole('radio', { name: 'Editor' }).check();
  await owner.getByRole('button', { name: 'Create link' }).click();
  const link = (await owner.locator('code').filter({ hasText: '#token=' }).textContent()) ?? '';
  await expectNoAxeViolations(owner);

  const path = link.slice(web.baseUrl.length);
  const page = await web.open(path);
  await page.getByText(/invited as editor/).waitFor();
  await expectNoAxeViolations(page);
  await page.getByLabel('Your name').fill('Nora <b>New</b>');
  await page.getByRole('textbox', { name: 'Password' }).fill(OWN);
  await page.getByRole('button', { name: 'Create my account' }).click();
  await page.getByRole('navigation', { name: 'Main' }).waitFor();
  await page.getByRole('button', { name: 'Account' }).click();
  await page.getByText('Nora <b>New</b>').waitFor();

  const late = await web.open(path, { expectedErrors: REFUSED });
  await late.getByText(/unknown, used, revoked or expired/).waitFor();
});

testInFull(
  'sets up a second factor with a code, requires it, and accepts a backup code once',
  async () => {
    const person = await web.makePerson('viewer');
    const page = await web.open('/settings', { as: person });
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

    const byCode = await web.open('/login', { expectedErrors: REFUSED });
    await typePassword(byCode, person.email, person.password);
    await byCode.getByRole('heading', { name: 'Second step' }).waitFor();
    await expectNoAxeViolations(byCode);
    await byCode.getByLabel('Code', { exact: true }).fill('000000');
    await byCode.keyboard.press('Enter');
    await byCode.getByText(/The code is not right/).waitFor();
    // A code works once: the next one is accepted already.
    await byCode.getByLabel('Code', { exact: true }).fill(makeCode(secret, 1));
    await byCode.keyboard.press('Enter');
    await byCode.getByRole('navigation', { name: 'Main' }).waitFor();

    const openWithBackup = async () => {
      const again = await web.open('/login', { expectedErrors: REFUSED });
      await typePassword(again, person.email, person.password);
      await again.getByRole('button', { name: 'Use a backup code' }).click();
      await again.getByLabel('Backup code').fill(backup);
      await again.keyboard.press('Enter');
      return again;
    };
    await (await openWithBackup()).getByRole('navigation', { name: 'Main' }).waitFor();
    await (await openWithBackup()).getByText(/was used already/).waitFor();
  },
  LONG_MS,
);
