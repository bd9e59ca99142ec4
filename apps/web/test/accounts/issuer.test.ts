// The organisation's own sign-in, from the button to the page behind it.
import { findFreePort } from '@muster/database/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectNoAxeViolations } from '../check/expect-no-axe-violations.ts';
import { expectNoComplaints } from '../check/expect-no-complaints.ts';
import type { Issuer, Profile } from '../start/start-issuer.ts';
import { startIssuer, toSettings } from '../start/start-issuer.ts';
import type { Web } from '../start/start-web.ts';
import { startWeb } from '../start/start-web.ts';

let issuer: Issuer;
let web: Web;
beforeAll(async () => {
  issuer = await startIssuer();
  // Issuers send people back to an address that the service must know before it starts.
  const port = String(await findFreePort());
  const settings = toSettings(issuer, `http://127.0.0.1:${port}`);
  web = await startWeb({ env: { ...settings, PORT: port } });
  await web.call('sandboxes.create', { name: 'Development' });
});
afterAll(async () => {
  await web?.stop();
  await issuer?.stop();
});

const profileOf = (email: string): Profile => ({
  ...{ sub: `sub of ${email}`, email, email_verified: true, name: 'Ida from the issuer' },
});

const button = 'Continue with Studio SSO';

test('whoever was invited gets in through the issuer, to the page they wanted', async () => {
  await web.call('people.invite', { email: 'ida@example.com', role: 'editor' });
  issuer.profile = profileOf('ida@example.com');
  const opened = await web.open('/players');
  const { page } = opened;
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
  expectNoComplaints(opened);
});

test.each([
  ['a stranger', profileOf('stranger@example.com')],
  ['whoever turns back at the issuer', undefined],
])('%s is told so on the page of sign-in, and stays out', async (_, profile) => {
  issuer.profile = profile;
  const opened = await web.open('/login');
  const { page } = opened;
  await page.getByRole('button', { name: button }).click();
  await page.getByRole('link', { name: 'Go on' }).click();
  await page.getByRole('alert').getByText('That sign-in did not work').waitFor();
  await page.getByRole('button', { name: button }).waitFor();
  await expectNoAxeViolations(page);
  await page.goto('/settings');
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  expectNoComplaints(opened);
});
