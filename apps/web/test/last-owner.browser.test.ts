// The last owner cannot be removed: the page explains why, and the service rejects it.

import type { Person } from '@muster/browser-testing';
import { beforeAll, expect } from 'vitest';
import { expectNoAxeViolations } from './support/accessibility.ts';
import { testInFull } from './support/extent.ts';
import { startOwnWeb } from './support/web.ts';

type Listed = { account_id: string; email: string; role: string };

const web = startOwnWeb();
let owner: Person;
beforeAll(async () => {
  owner = await web.makePerson('owner');
  for (const { account_id, email, role } of await listPeople()) {
    if (role === 'owner' && email !== owner.email) await web.call('people.remove', { account_id });
  }
});

const listPeople = async () => (await web.query<{ people: Listed[] }>('people.list')).people;

testInFull('cannot be removed or change the role, and every button explains why', async () => {
  const page = await web.open(`/people?name=${encodeURIComponent(owner.email)}`, { as: owner });
  await page.getByRole('table').getByRole('link').first().click();
  await page.getByText('The last owner', { exact: true }).waitFor();
  await expectNoAxeViolations(page);
  const tooltip = page.getByRole('tooltip');
  for (const [name, reason] of [
    ['Change role', 'The last owner stays: make another person an owner first.'],
    ['Disable', /^This is your own account/],
    ['Remove', /^This is your own account/],
  ] as const) {
    const button = page.getByRole('button', { name, exact: true });
    expect(await button.getAttribute('aria-disabled')).toBe('true');
    await button.hover();
    await tooltip.getByText(reason).waitFor();
    await button.press('Enter');
    expect(await page.getByRole('dialog').count()).toBe(1);
  }
});

testInFull('cannot be removed through the API, and can remove another owner', async () => {
  const [{ account_id } = { account_id: '' }] = (await listPeople()).filter(
    ({ role }) => role === 'owner',
  );
  await expect(web.call('people.remove', { account_id })).rejects.toThrow(/last_owner/);
  const other = await web.makePerson('owner');
  const page = await web.open(`/people?name=${encodeURIComponent(other.email)}`, { as: owner });
  await page.getByRole('table').getByRole('link').first().click();
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  const question = page.getByRole('dialog', { name: /^Remove/ });
  await question.getByRole('button', { name: /^Remove/ }).click();
  await question.waitFor({ state: 'detached' });
  expect((await listPeople()).filter(({ role }) => role === 'owner')).toHaveLength(1);
});
