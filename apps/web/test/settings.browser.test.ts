// Settings: the own account, and sandboxes.
import { expect, test } from 'vitest';
import { expectNoAxeViolations } from './support/accessibility.ts';
import { shareWeb } from './support/web.ts';

const web = shareWeb();

test('a person changes their name, and signs out everywhere else', async () => {
  const person = await web.makePerson('viewer');
  const other = await web.open('/settings', { as: person });
  const signedInAgain = { ...person, email: person.email.toUpperCase() };
  const page = await web.open('/settings', { as: signedInAgain });
  await page.getByRole('textbox', { name: 'Name' }).fill('Another name');
  await page.getByRole('button', { name: 'Save name' }).click();
  await page.getByText('Your name is changed.').waitFor();
  await page.getByRole('button', { name: 'Sign out everywhere else' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click();
  await page.getByText(/sign-ins? ha(s|ve) ended/).waitFor();
  await expectNoAxeViolations(page);
  await other.reload();
  await other.getByRole('heading', { name: 'Sign in' }).waitFor();
});

test('a sandbox is made and protected, and its protection is lifted only by its typed name', async () => {
  const page = await web.open('/settings', { as: 'admin' });
  await page.getByRole('button', { name: 'New sandbox' }).click();
  await page.getByLabel('Name', { exact: false }).last().fill('Production');
  await page.getByRole('checkbox', { name: /Players play in it/ }).check();
  await expectNoAxeViolations(page);
  await page.getByRole('button', { name: 'Make sandbox' }).click();
  await page.waitForURL('**/s/*');
  await page.goto('/settings');
  await page.getByRole('button', { name: 'Lift protection of Production' }).click();
  const lift = page.getByRole('dialog').getByRole('button', { name: 'Lift protection' });
  expect(await lift.isDisabled()).toBe(true);
  await page.getByLabel('Type "Production" to confirm').fill('Production');
  await expectNoAxeViolations(page);
  await lift.click();
  await page.getByText('Production is not protected any more.').waitFor();
});
