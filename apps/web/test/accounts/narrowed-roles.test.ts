// People whose role is narrowed to one sandbox see that one, and nothing that would only refuse them.

import type { Person } from '@muster/browser-testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectNoAxeViolations } from '../check/expect-no-axe-violations.ts';
import { expectNoComplaints } from '../check/expect-no-complaints.ts';
import { makeSandbox } from '../records/sandbox-of-test.ts';
import type { Web } from '../start/start-web.ts';
import { startWeb } from '../start/start-web.ts';

type Sandbox = Awaited<ReturnType<typeof makeSandbox>>;
const ROLES = ['viewer', 'editor', 'admin'] as const;

let web: Web;
let own: Sandbox;
let other: Sandbox;
const people = new Map<string, Person>();
beforeAll(async () => {
  web = await startWeb();
  [own, other] = [await makeSandbox(web), await makeSandbox(web)];
  await own.addItem('Narrow axe of mine');
  await other.addItem('Narrow axe of others');
  for (const role of ROLES) people.set(role, await web.makePerson(role, [own.sandbox_id]));
});
afterAll(() => web?.stop());

const openAs = (path: string, role: (typeof ROLES)[number]) =>
  web.open(path, { as: people.get(role) as Person });

describe.each(ROLES)('a narrowed %s', (role) => {
  test('comes to the own sandbox, and is offered no other', async () => {
    const opened = await openAs('/', role);
    const { page } = opened;
    await page.waitForURL(`**/s/${own.sandbox_id}`);
    await page.getByRole('combobox', { name: 'Sandbox' }).click();
    expect(await page.getByRole('option').allTextContents()).toEqual([own.name]);
    await page.keyboard.press('Escape');
    await page.goto('/settings');
    await page.getByRole('heading', { name: 'Sandboxes' }).waitFor();
    expect(await page.getByText(other.name, { exact: true }).count()).toBe(0);
    await expectNoAxeViolations(page);
    expectNoComplaints(opened);
  });

  test('opens every page of the navigation without being refused', async () => {
    const opened = await openAs(`/s/${own.sandbox_id}`, role);
    const { page } = opened;
    const links = page.getByRole('navigation', { name: 'Main' }).getByRole('link');
    const names = await links.allTextContents();
    expect(names.includes('Import')).toBe(role !== 'viewer');
    expect(names).not.toContain('People');
    for (const name of names) {
      await links.filter({ hasText: new RegExp(`^${name}$`) }).click();
      await page.locator('main h1').waitFor();
      await expect.poll(() => page.getByText('Loading …').count()).toBe(0);
      expect([name, await page.getByText(/does not permit|may not see/).count()]).toEqual([
        ...[name, 0],
      ]);
    }
    expectNoComplaints(opened);
  });

  test('finds, audits and checks what is in the own sandbox only', async () => {
    const opened = await openAs('/audit', role);
    const { page } = opened;
    await page.getByRole('table').waitFor();
    expect(await page.getByText(other.name, { exact: true }).count()).toBe(0);
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: /^Search records/ }).fill('narrow axe');
    await page.getByRole('option', { name: 'Narrow axe of mine' }).waitFor();
    expect(await page.getByRole('option', { name: 'Narrow axe of others' }).count()).toBe(0);
    await page.goto('/system');
    await page.getByRole('row', { name: new RegExp(`^${own.name}`) }).waitFor();
    expect(await page.getByRole('row', { name: new RegExp(`^${other.name}`) }).count()).toBe(0);
    expectNoComplaints(opened);
  });

  test('is told that a link into another sandbox leads nowhere', async () => {
    const opened = await openAs(other.items, role);
    await opened.page
      .getByRole('heading', { level: 1, name: 'There is no such sandbox' })
      .waitFor();
    expect(await opened.page.getByText('Narrow axe of others').count()).toBe(0);
    await expectNoAxeViolations(opened.page);
    expectNoComplaints(opened);
  });
});

test('an editor edits in the own sandbox, and a viewer is told why not', async () => {
  const state = async (role: 'viewer' | 'editor') => {
    const { page } = await openAs(own.items, role);
    return page.getByRole('button', { name: 'New Item' }).getAttribute('aria-disabled');
  };
  expect([await state('viewer'), await state('editor')]).toEqual(['true', null]);
});
