// People: an owner changes their role, password and account, which the audit page shows.
import { callAs } from '@muster/browser-testing';
import { test } from 'vitest';
import { expectNoAxeViolations } from './support/accessibility.ts';
import { testInFull } from './support/extent.ts';
import { shareWeb } from './support/web.ts';

const web = shareWeb();

testInFull(
  'counts the service accounts of a person that keep working, before the person is removed',
  async () => {
    const maker = await web.makePerson('admin');
    const call = await callAs(web.baseUrl, maker);
    const name = `Backend of ${maker.email}`;
    const { account_id } = await call<{ account_id: string }>('keys.createAccount', { name });
    await call('keys.create', { account_id, name: 'A key', permissions: ['session:view'] });
    const page = await web.open(`/people?name=${encodeURIComponent(maker.email)}`, { as: 'owner' });
    await page.getByRole('table').getByRole('link').first().click();
    for (const action of ['Disable', 'Remove']) {
      await page.getByRole('button', { name: action }).click();
      const dialog = page.getByRole('dialog', { name: new RegExp(`^${action} the account`) });
      await dialog.getByText(/1 service account made by .* can still be used/).waitFor();
      await dialog.getByRole('button', { name: 'Cancel' }).click();
    }
  },
);

test('changes the role and the password of a person and disables the person, each with an audit record', async () => {
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
