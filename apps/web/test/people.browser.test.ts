// People: their role, password and account, changed by an owner and told by the audit.
import { test } from 'vitest';
import { expectNoAxeViolations } from './support/accessibility.ts';
import { shareWeb } from './support/web.ts';

const web = shareWeb();

test('people are given another role, a one-time password, and are disabled; each change is in the audit', async () => {
  const { email } = await web.makePerson('viewer');
  const page = await web.open(`/people?name=${encodeURIComponent(email)}`, { as: 'owner' });
  const openPerson = () => page.getByRole('table').getByRole('link').first().click();
  await openPerson();
  await expectNoAxeViolations(page);
  await page.getByRole('button', { name: 'Change role' }).click();
  await page.getByRole('radio', { name: 'Editor' }).check();
  await expectNoAxeViolations(page);
  await page
    .getByRole('dialog', { name: /^Role of/ })
    .getByRole('button', { name: 'Change role' })
    .click();
  await page.getByText(/^The role of .* is changed/).waitFor();
  await page.getByRole('button', { name: 'Reset password' }).click();
  await page
    .getByRole('dialog', { name: /^Reset the password/ })
    .getByRole('button', { name: 'Reset password' })
    .click();
  await page.getByText('One-time password').first().waitFor();
  await expectNoAxeViolations(page);
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('button', { name: 'Disable' }).click();
  await page
    .getByRole('dialog', { name: /^Disable the account/ })
    .getByRole('button', { name: 'Disable' })
    .click();
  await page.getByRole('button', { name: 'Enable' }).waitFor();
  const accountId = new URL(page.url()).searchParams.get('person') ?? '';

  const audit = await web.open(`/audit?target=${accountId}`, { as: 'viewer' });
  for (const words of ['Changed a role', 'Reset a password', 'Disabled or enabled a person']) {
    await audit.getByRole('link', { name: words }).waitFor();
  }
  await audit.getByRole('link', { name: 'Changed a role' }).click();
  const story = audit.getByRole('dialog', { name: 'Changed a role' });
  await story.getByRole('row', { name: /viewer.*editor/ }).waitFor();
  await story.getByRole('button', { name: /Copy request id/ }).waitFor();
  await expectNoAxeViolations(audit);
  await audit.reload();
  await story.waitFor();
  await audit.keyboard.press('Escape');
  await story.waitFor({ state: 'detached' });
});
