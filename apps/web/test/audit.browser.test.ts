// The audit page shows every change in words, with its account and its target.

import { randomUUID } from 'node:crypto';
import type { Call } from '@muster/browser-testing';
import { callAs, signIn } from '@muster/browser-testing';
import { expect, test } from 'vitest';
import { coversInFull, testInFull } from './support/extent.ts';
import type { Answer, Step } from './support/mutations.ts';
import {
  accept,
  DELIVERED,
  INVITE,
  KIMS_IDENTITY,
  listMutations,
  listSteps,
  OWNER,
  REVIEWED,
  readToken,
  WEBHOOK,
} from './support/mutations.ts';
import type { Page } from './support/web.ts';
import { shareWeb } from './support/web.ts';

/** Mutations without an audit record, each with the reason. */
const WITHOUT_RECORD: Record<string, string> = {
  'invitations.get': 'a query would put the token into URLs, and so into logs',
  'sessions.createMany': 'each session that it creates has a record of sessions.create',
  'sessions.endMatching': 'each session that it ends has a record of sessions.end',
};

const LIST = '/audit?cols=action,account,target,procedure';
/** High enough for every row to be in the document. */
const HIGH = { viewport: { width: 1440, height: 8_000 } };

const web = shareWeb();

/** Calls mutations like the page of a signed-in owner. */
const callAsOwner = async (): Promise<Call> => {
  const owner = await web.makePerson('owner');
  const call = await callAs(web.baseUrl, owner);
  // A second sign-in, which me.endSignIns ends.
  await signIn(web.baseUrl, owner);
  return call;
};

/**
 * The account of Kim, whose second factor and identity at an issuer are put into the database, as are a webhook with a
 * delivery and a change set of another author.
 */
const findKim = (): Promise<string> =>
  web.withDatabase(async ({ prisma }) => {
    const { id } = await prisma.accountUser.update({
      where: { email: 'kim@example.com' },
      data: { twoFactorEnabled: true },
    });
    await prisma.accountLogin.create({
      data: { id: KIMS_IDENTITY, providerId: 'oidc', accountId: 'the subject of Kim', userId: id },
    });
    await prisma.webhookEndpoint.create({
      data: {
        ...WEBHOOK,
        deliveries: {
          create: {
            deliveryId: DELIVERED.delivery_id,
            position: 1,
            subject: '{}',
            events: [],
            eventCount: 0,
            status: 'delivered',
            createdAt: new Date(),
          },
        },
      },
    });
    const { sandboxId, ...set } = REVIEWED;
    const now = new Date();
    const times = { createdAt: now, updatedAt: now };
    const changeSets = {
      create: { ...set, ...times, state: 'draft', authorId: 'someone', operationCount: 1 },
    };
    await prisma.sandbox.create({ data: { sandboxId, name: 'Reviewed', changeSets } });
    return id;
  });

/** Calls every mutation, and returns the calls. */
const callAll = async (): Promise<Step[]> => {
  const call = await callAsOwner();
  const made: Record<string, Answer> = {};
  const run = async (steps: readonly Step[]) => {
    for (const { procedure, input } of steps) {
      made[procedure] = await call(procedure, typeof input === 'function' ? input(made) : input);
    }
    return steps;
  };
  const invited = await run([INVITE]);
  const accepted = await run([accept(readToken(made['people.invite'] ?? {}))]);
  return [...invited, ...accepted, ...(await run(listSteps(await findKim())))];
};

/** The cells of the shown rows. */
const readRows = async (page: Page): Promise<string[][]> =>
  (await page.locator('tbody tr[data-index]').allInnerTexts()).map((row) =>
    row.split(/\s*[\t\n]\s*/),
  );

test('a record shows the name of its target before the ids', async () => {
  const sandbox_id = randomUUID();
  await web.call('sandboxes.create', { sandbox_id, name: 'Named first' });
  const item = { sandbox_id, name: 'Named axe', item_type: 'unit' };
  const { item_id } = await web.call<{ item_id: string }>('items.create', item);
  const page = await web.open(`/audit?target=${item_id}`, { as: 'viewer' });
  await page.getByRole('link', { name: 'Created an Item' }).click();
  const changed = page.getByRole('dialog').locator('section').first().locator('dd');
  await changed.first().waitFor();
  expect(await changed.allTextContents()).toEqual(['Named axe', item_id]);
  await page.goto(`/audit?target=${sandbox_id}&action=sandboxes.create`);
  await page.getByRole('link', { name: 'Created a sandbox' }).click();
  await expect.poll(() => changed.first().textContent()).toBe('Named first');
});

testInFull('explains the permissions of a key beside their names', async () => {
  const account = await web.call<{ account_id: string }>('keys.createAccount', { name: 'Told' });
  const key = { account_id: account.account_id, name: 'Told', permissions: ['session:view', '*'] };
  const { key_id } = await web.call<{ key_id: string }>('keys.create', key);
  const page = await web.open(`/audit?target=${key_id}`, { as: 'viewer' });
  await page.getByRole('link', { name: 'Created a key' }).click();
  const row = page.getByRole('dialog').getByRole('row', { name: /^Permissions/ });
  await expect
    .poll(() => row.locator('td[data-side="after"]').textContent())
    .toBe('See sessions and their timelines (session:view)\nEverything (*)');
});

testInFull(
  'every mutation is in the list, with its own description, its account and its target',
  async () => {
    const steps = await callAll();
    const called = [...new Set(steps.map(({ procedure }) => procedure))];
    const expected = listMutations().filter((name) => !Object.hasOwn(WITHOUT_RECORD, name));
    expect(called.toSorted()).toEqual(expected.toSorted());

    const page = await web.open(LIST, { as: 'viewer', ...HIGH });
    // Each row loads the names of its accounts.
    const wanted = steps.map(({ procedure, target, by = OWNER }) => [by, target, procedure]);
    await expect
      .poll(async () => (await readRows(page)).map(([, ...row]) => row))
      .toEqual(expect.arrayContaining(wanted));
    const rows = await readRows(page);
    const words = called.map((name) => rows.find((row) => row[3] === name)?.[0] ?? '');
    for (const word of words) expect(word).toMatch(/^[A-Z][^.]+$/);
    expect(new Set(words).size).toBe(words.length);
    if (!coversInFull()) return;

    const filter = page.getByRole('combobox', { name: 'What' });
    for (const [at, procedure] of called.entries()) {
      await page.goto(`${LIST}&action=${procedure}`);
      await expect.poll(() => filter.inputValue()).toBe(words[at]);
      for (const { target, by = OWNER } of steps.filter((step) => step.procedure === procedure)) {
        await expect.poll(() => readRows(page)).toContainEqual([words[at], by, target, procedure]);
      }
    }
  },
  300_000,
);
