// The personal settings of a user.
import { expect } from 'vitest';
import { expectNoAxeViolations } from './support/accessibility.ts';
import { testInFull } from './support/extent.ts';
import { shareWeb } from './support/web.ts';

const web = shareWeb();

testInFull('a person changes their name, and signs out everywhere else', async () => {
  const person = await web.makePerson('viewer');
  const other = await web.open('/settings', { as: person });
  // The page would otherwise poll with the sign-in that ends.
  await other.goto('about:blank');
  const signedInAgain = { ...person, email: person.email.toUpperCase() };
  const page = await web.open('/settings', { as: signedInAgain });
  await page.getByRole('textbox', { name: 'Name' }).fill('Another name');
  await page.getByRole('button', { name: 'Save name' }).click();
  await page.getByText('Name updated.').waitFor();
  await page.getByRole('button', { name: 'Sign out everywhere else' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click();
  await page.getByText(/sign-ins? ha(s|ve) ended/).waitFor();
  await expectNoAxeViolations(page);
  await other.goto('/settings');
  await other.getByRole('heading', { name: 'Sign in' }).waitFor();
});

testInFull('the page contains only personal settings', async () => {
  const page = await web.open('/settings', { as: 'admin' });
  await page.getByRole('region', { name: 'Password' }).waitFor();
  expect(await page.getByRole('region', { name: /sandbox/i }).count()).toBe(0);
  expect(await page.getByRole('button', { name: /sandbox/i }).count()).toBe(0);
});
