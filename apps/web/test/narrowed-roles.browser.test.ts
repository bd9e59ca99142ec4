// People whose role is limited to one sandbox see that sandbox, and no action that they may not perform.
import type { Person } from '@muster/browser-testing';
import { addPerson, callAs } from '@muster/browser-testing';
import { beforeAll, describe, expect, test } from 'vitest';
import { expectNoAxeViolations } from './support/accessibility.ts';
import { firstOf, testInFull } from './support/extent.ts';
import type { Sandbox } from './support/sandboxes.ts';
import { makeSandbox } from './support/sandboxes.ts';
import { shareWeb } from './support/web.ts';

/** The role that sees most comes first. */
const ROLES = ['admin', 'editor', 'viewer'] as const;

const web = shareWeb();
let own: Sandbox;
let other: Sandbox;
const people = new Map<string, Person>();
beforeAll(async () => {
  [own, other] = [await makeSandbox(web), await makeSandbox(web)];
  await own.addItem('Narrow axe of mine');
  await other.addItem('Narrow axe of others');
  for (const role of ROLES) people.set(role, await web.makePerson(role, [own.sandbox_id]));
});

const openAs = (path: string, role: (typeof ROLES)[number]) =>
  web.open(path, { as: people.get(role) as Person });

describe.each(firstOf(ROLES))('a limited %s', (role) => {
  test('opens its own sandbox, and sees no other', async () => {
    const page = await openAs('/', role);
    await page.waitForURL(`**/s/${own.sandbox_id}`);
    await page.getByRole('combobox', { name: 'Sandbox' }).click();
    expect(await page.getByRole('option').allTextContents()).toEqual([own.name]);
    await page.keyboard.press('Escape');
    await page.goto('/sandboxes');
    await page.getByRole('heading', { name: 'Sandboxes' }).waitFor();
    expect(await page.getByText(other.name, { exact: true }).count()).toBe(0);
    await expectNoAxeViolations(page);
  });

  testInFull('searches, audits and verifies only its own sandbox', async () => {
    const page = await openAs('/audit', role);
    await page.getByRole('table').waitFor();
    expect(await page.getByText(other.name, { exact: true }).count()).toBe(0);
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: /^Search records/ }).fill('narrow axe');
    await page.getByRole('option', { name: 'Narrow axe of mine' }).waitFor();
    expect(await page.getByRole('option', { name: 'Narrow axe of others' }).count()).toBe(0);
    await page.goto('/system');
    await page.getByRole('row', { name: new RegExp(`^${own.name}`) }).waitFor();
    expect(await page.getByRole('row', { name: new RegExp(`^${other.name}`) }).count()).toBe(0);
  });

  testInFull('sees a not-found page for a link into another sandbox', async () => {
    const page = await openAs(other.items, role);
    await page.getByRole('heading', { level: 1, name: 'Sandbox not found' }).waitFor();
    expect(await page.getByText('Narrow axe of others').count()).toBe(0);
    await expectNoAxeViolations(page);
  });
});

test.each(firstOf(ROLES))('a limited %s may open every page of the navigation', async (role) => {
  const page = await openAs(`/s/${own.sandbox_id}`, role);
  const links = page.getByRole('navigation', { name: 'Main' }).getByRole('link');
  const names = await links.allTextContents();
  expect(names.includes('Import')).toBe(role !== 'viewer');
  expect(names).not.toContain('People');
  for (const name of names) {
    await links.filter({ hasText: new RegExp(`^${name}$`) }).click();
    await page.locator('main h1').waitFor();
    await expect.poll(() => page.getByText('Loading …').count()).toBe(0);
    // The sentence of a refused join may say the same.
    const refusals = page.getByRole('alert').getByText('does not permit');
    expect(await refusals.or(page.getByText('may not see')).count(), name).toBe(0);
  }
});

testInFull('an editor sees the names of the authors in the overview and the history', async () => {
  const sandbox = await makeSandbox(web);
  const { sandbox_id } = sandbox;
  const author = await addPerson(web.call, {
    email: 'vera.author@example.com',
    password: 'a long password of the author',
    name: 'Vera Author',
    role: 'admin',
  });
  const editor = await web.makePerson('editor', [sandbox_id]);
  const callAsAuthor = await callAs(web.baseUrl, author);
  await callAsAuthor('items.create', { sandbox_id, name: 'Signed axe', item_type: 'unit' });
  for (const path of [sandbox.root, `${sandbox.root}/history`]) {
    const page = await web.open(path, { as: editor });
    const expectNoIds = async () => {
      const text = await page.locator('main').textContent();
      expect(text?.replaceAll(sandbox_id, '')).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-/);
    };
    await page.getByText('Vera Author').first().waitFor();
    await expectNoIds();
    const names = Promise.withResolvers<void>();
    await page.route(/accounts\.names/, (route) => names.promise.then(() => route.continue()));
    await page.reload();
    await page.getByText('Signed axe').first().waitFor();
    await expectNoIds();
    names.resolve();
    await page.getByText('Vera Author').first().waitFor();
  }
});

test('an editor edits in its own sandbox, and a viewer sees why it cannot', async () => {
  const state = async (role: 'viewer' | 'editor') => {
    const page = await openAs(own.items, role);
    return page.getByRole('button', { name: 'New Item' }).getAttribute('aria-disabled');
  };
  expect([await state('viewer'), await state('editor')]).toEqual(['true', null]);
});
