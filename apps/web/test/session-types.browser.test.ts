// Session types in a real browser.
import { describe, expect, test } from 'vitest';
import { expectNoAxeViolations, expectToFitPhone } from './support/accessibility.ts';
import { testInFull } from './support/extent.ts';
import { PHONE, shareWeb } from './support/web.ts';

const web = shareWeb();

const owner = { as: 'owner' } as const;

describe('session types', () => {
  test('are created with teams, a version rule in words, and lifetimes as durations', async () => {
    const page = await web.open('/session-types', owner);
    await page.getByRole('button', { name: 'New session type' }).click();
    const dialog = page.getByRole('dialog', { name: 'New session type' });
    await dialog.getByRole('textbox', { name: 'Name' }).fill('arena');
    await dialog.getByRole('combobox', { name: 'Client version' }).selectOption('minor');
    await dialog.getByText('An instance of 1.4.2 takes 1.4.0, but not 1.5.0.').waitFor();
    await dialog.getByRole('button', { name: 'Add a team' }).click();
    await dialog.getByRole('textbox', { name: 'Invitations', exact: true }).fill('15');
    await dialog.getByRole('combobox', { name: 'Unit of Ended sessions' }).selectOption('days');
    await dialog.getByRole('textbox', { name: 'Ended sessions', exact: true }).fill('30');
    await expectNoAxeViolations(page);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    const row = page.getByRole('row').filter({ hasText: 'arena' });
    for (const words of ['Same minor', '2 teams of 4', '15 minutes', '30 days']) {
      await row.getByText(words).waitFor();
    }
    expect(await row.getByText('forever').count()).toBe(3);
    await row.getByText('unlimited').waitFor();
    await page.getByRole('link', { name: 'arena' }).click();
    const edited = page.getByRole('dialog', { name: 'Session type arena' });
    expect(new URL(page.url()).searchParams.get('edit')).toBe('arena');
    const field = edited.getByRole('textbox', { name: 'Ended sessions', exact: true });
    expect(await field.inputValue()).toBe('30');
    await field.fill('');
    await edited.getByRole('button', { name: 'Save' }).click();
    await edited.waitFor({ state: 'detached' });
    await row.getByText('30 days').waitFor({ state: 'detached' });
    await row.getByText('default').waitFor();
  });

  testInFull('show the problems that the service reports at the fields', async () => {
    await web.call('sessionTypes.upsert', { type: 'taken' });
    const page = await web.open('/session-types?create=yes', {
      ...owner,
      expectedErrors: [/status of 400/],
    });
    const dialog = page.getByRole('dialog', { name: 'New session type' });
    await dialog.getByRole('textbox', { name: 'Name' }).fill('taken');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('A type with this name already exists: edit that one.').waitFor();
    await dialog.getByRole('textbox', { name: 'Name' }).fill('free');
    await dialog.getByRole('textbox', { name: 'Absent players', exact: true }).fill('99999999');
    await dialog.getByRole('button', { name: 'Save' }).click();
    const field = dialog.getByRole('textbox', { name: 'Absent players', exact: true });
    await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true');
    expect(await dialog.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('free');
    await expectNoAxeViolations(page);
  });

  testInFull('are read-only for a viewer on a phone', async () => {
    await web.call('sessionTypes.upsert', { type: 'seen', invitation_ttl_seconds: 60 });
    const page = await web.open('/session-types?edit=seen', { as: 'viewer', ...PHONE });
    const dialog = page.getByRole('dialog', { name: 'Session type seen' });
    await dialog.getByRole('textbox', { name: 'Invitations', exact: true }).waitFor();
    expect(await dialog.getByRole('button', { name: 'Save' }).count()).toBe(0);
    expect(
      await dialog.getByRole('textbox', { name: 'Invitations', exact: true }).isDisabled(),
    ).toBe(true);
    await expectToFitPhone(page);
    await expectNoAxeViolations(page);
  });
});
