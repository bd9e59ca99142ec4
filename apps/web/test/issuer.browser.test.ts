// The organisation's own sign-in, from the button to the page behind it.
import { findFreePort } from '@muster/database/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectNoAxeViolations } from './support/accessibility.ts';
import { firstOf, testInFull } from './support/extent.ts';
import type { Issuer, Profile } from './support/oidc-issuer.ts';
import { startIssuer, toSettings } from './support/oidc-issuer.ts';
import type { Page } from './support/web.ts';
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

const button = 'Continue with 127.0.0.1';

test('an invited person signs in through the issuer and comes to the page they asked for', async () => {
  await web.call('people.invite', { email: 'ida@example.com', role: 'editor' });
  issuer.profile = profileOf('ida@example.com');
  const page = await web.open('/players');
  await page.getByRole('button', { name: button }).waitFor();
  await expectNoAxeViolations(page);
  await page.getByRole('button', { name: button }).click();
  await page.waitForURL(`${issuer.url}/authorize?*`);
  await page.getByRole('link', { name: 'Continue' }).click();
  await page.getByRole('heading', { level: 1, name: 'Players' }).waitFor();
  expect(new URL(page.url()).origin).toBe(web.baseUrl);
  await page.getByRole('button', { name: 'Account' }).click();
  await page.getByText('Ida from the issuer').waitFor();
  await page.getByText('editor', { exact: true }).waitFor();
});

testInFull(
  'an owner sees the identity of a person and removes it, and the person sees it in the settings',
  async () => {
    await web.call('people.invite', { email: 'iris@example.com', role: 'viewer' });
    issuer.profile = profileOf('iris@example.com');
    const own = await signInAs('/settings');
    const section = own.getByRole('region', { name: 'Single sign-on' });
    await section.getByText('sub of iris@example.com').waitFor();
    await expectNoAxeViolations(own);
    // The page would otherwise poll with the sign-in that ends.
    await own.goto('about:blank');

    const page = await web.open('/people?name=iris', { as: 'owner' });
    await page.getByRole('table').getByRole('link').first().click();
    const details = page.getByRole('dialog');
    await details.getByText('sub of iris@example.com').waitFor();
    await details.getByText(issuer.url).waitFor();
    await expectNoAxeViolations(page);
    await details.getByRole('button', { name: 'Remove identity sub of iris' }).click();
    const question = page.getByRole('dialog', { name: /^Remove an identity of/ });
    await question.getByText(/^Every sign-in of .* ends/).waitFor();
    await expectNoAxeViolations(page);
    await question.getByRole('button', { name: 'Remove identity' }).click();
    await page.getByText('The identity is removed.').waitFor();
    await details.getByText('no identity').waitFor();
    const audit = await web.open('/audit', { as: 'owner' });
    await audit.getByRole('link', { name: 'Removed a single sign-on identity' }).first().waitFor();
    await audit.getByRole('link', { name: 'Linked a single sign-on identity' }).first().waitFor();
    // The sign-in of the person has ended.
    await own.goto('/settings');
    await own.getByRole('heading', { name: 'Sign in' }).waitFor();
  },
);

const signInAs = async (path: string): Promise<Page> => {
  const page = await web.open(path);
  await page.getByRole('button', { name: button }).click();
  await page.getByRole('link', { name: 'Continue' }).click();
  await page.waitForURL(`${web.baseUrl}/**`);
  return page;
};

/** The person at the issuer, its wrong behaviour, and the sentence on the page. */
type Failure = { profile?: Profile; claims?: object; isDown?: true; says: RegExp };

const FAILURES: [string, Failure][] = [
  [
    'a person without an account',
    { profile: profileOf('stranger@example.com'), says: /Ask an owner for an invitation/ },
  ],
  ['a person who cancels at the issuer', { says: /or you cancelled there/ }],
  [
    'a person whose e-mail address is not verified',
    { profile: { ...profileOf('a@example.com'), email_verified: false }, says: /has not verified/ },
  ],
  [
    'a second identity of a person',
    {
      profile: { ...profileOf('ida@example.com'), sub: 'another' },
      says: /Another single sign-on identity is linked/,
    },
  ],
  [
    'an ID token that fails a check',
    {
      profile: profileOf('ida@example.com'),
      claims: { azp: 'x' },
      says: /failed a security check/,
    },
  ],
  [
    'a person who returns while the issuer is down',
    { profile: profileOf('ida@example.com'), isDown: true, says: /does not respond correctly/ },
  ],
];

test.each(firstOf(FAILURES))(
  '%s is not signed in, and the sign-in page shows why',
  async (_, { profile, claims = {}, isDown = false, says }) => {
    Object.assign(issuer, { profile, claims, isDown });
    const page = await web.open('/login');
    await page.getByRole('button', { name: button }).click();
    await page.getByRole('link', { name: 'Continue' }).click();
    const alert = page.getByRole('alert');
    await alert.getByText('That sign-in did not work').waitFor();
    await alert.getByText(says).waitFor();
    await alert.getByRole('button', { name: /^Copy request id/ }).waitFor();
    await page.getByRole('button', { name: button }).waitFor();
    await expectNoAxeViolations(page);
    await page.goto('/settings');
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  },
);
