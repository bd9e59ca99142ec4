// The organisation's own sign-in, from the button to the page behind it.
import { findFreePort } from '@muster/database/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectNoAxeViolations } from './support/accessibility.ts';
import { firstOf } from './support/extent.ts';
import type { Issuer, Profile } from './support/oidc-issuer.ts';
import { startIssuer, toSettings } from './support/oidc-issuer.ts';
import { startOwnWeb } from './support/web.ts';

let issuer: Issuer;
const web = startOwnWeb(async () => {
  issuer = await startIssuer();
  // Issuers send people back to an address that the service must know before it starts.
  const port = String(await findFreePort());
  return { env: { ...toSettings(issuer, `http://127.0.0.1:${port}`), PORT: port } };
});
beforeAll(() => web.call('sandboxes.create', { name: 'Development' }));
afterAll(() => issuer?.stop());

const profileOf = (email: string): Profile => ({
  sub: `sub of ${email}`,
  email,
  email_verified: true,
  name: 'Ida from the issuer',
});

const button = 'Continue with Studio SSO';

test('an invited person signs in through the issuer and comes to the page they asked for', async () => {
  await web.call('people.invite', { email: 'ida@example.com', role: 'editor' });
  issuer.profile = profileOf('ida@example.com');
  const page = await web.open('/players');
  await page.getByRole('button', { name: button }).waitFor();
  await expectNoAxeViolations(page);
  await page.getByRole('button', { name: button }).click();
  await page.waitForURL(`${issuer.url}/authorize?*`);
  await page.getByRole('link', { name: 'Go on' }).click();
  await page.getByRole('heading', { level: 1, name: 'Players' }).waitFor();
  expect(new URL(page.url()).origin).toBe(web.baseUrl);
  await page.getByRole('button', { name: 'Account' }).click();
  await page.getByText('Ida from the issuer').waitFor();
  await page.getByText('editor', { exact: true }).waitFor();
});

const STRANGERS = [
  ['a person without an account', profileOf('stranger@example.com')],
  ['a person who cancels at the issuer', undefined],
] as const;

test.each(firstOf(STRANGERS))(
  '%s stays out, and the page of sign-in says so',
  async (_, profile) => {
    issuer.profile = profile;
    const page = await web.open('/login');
    await page.getByRole('button', { name: button }).click();
    await page.getByRole('link', { name: 'Go on' }).click();
    await page.getByRole('alert').getByText('That sign-in did not work').waitFor();
    await page.getByRole('button', { name: button }).waitFor();
    await expectNoAxeViolations(page);
    await page.goto('/settings');
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  },
);
