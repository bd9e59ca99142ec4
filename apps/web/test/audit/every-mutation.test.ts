// Whatever anybody changes is told by the audit page: in words, with who did it and to what.

import { signIn } from '@muster/browser-testing';
import { openDatabase } from '@muster/database';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Web } from '../start/start-web.ts';
import { startWeb } from '../start/start-web.ts';
import type { Answer, Call } from './call-as-person.ts';
import { callAsPerson } from './call-as-person.ts';
import { listMutations } from './list-mutations.ts';
import type { Step } from './steps.ts';
import { accept, INVITE, listSteps, OWNER, readToken } from './steps.ts';

/** Declared as mutations, though nothing changes, each for a reason. */
const CHANGE_NOTHING: Record<string, string> = {
  'invitations.get': 'the token of a query would stand in addresses, and so in logs',
};

let web: Web;
beforeAll(async () => {
  web = await startWeb();
});
afterAll(() => web?.stop());

const run = async (call: Call, steps: readonly Step[], made: Record<string, Answer> = {}) => {
  for (const { procedure, input } of steps) {
    made[procedure] = await call(procedure, typeof input === 'function' ? input(made) : input);
  }
  return made;
};

/** The id of Kim, whose second factor is switched on behind the service's back. */
const findKim = async (): Promise<string> => {
  const { prisma, close } = openDatabase({ url: web.databaseUrl });
  const { id } = await prisma.accountUser.update({
    where: { email: 'kim@example.com' },
    data: { twoFactorEnabled: true },
  });
  await close();
  return id;
};

/** Calls every mutation there is, and answers what was called. */
const callAll = async (): Promise<Step[]> => {
  const owner = await web.makePerson('owner');
  const call = await callAsPerson(web.baseUrl, owner);
  const { 'people.invite': invitation = {} } = await run(call, [INVITE]);
  const accepted = accept(readToken(invitation));
  await run(call, [accepted]);
  const steps = listSteps(await findKim());
  // The sign-in that me.endSignIns ends.
  await signIn(web.baseUrl, owner);
  await run(call, steps);
  return [INVITE, accepted, ...steps];
};

test('every mutation is told by /audit, with words of its own, who did it and to what', async () => {
  const steps = await callAll();
  const called = new Set(steps.map(({ procedure }) => procedure));
  const expected = listMutations().filter((name) => !Object.hasOwn(CHANGE_NOTHING, name));
  expect([...called].toSorted()).toEqual(expected.toSorted());

  const { page } = await web.open('/audit?cols=action,account,target,procedure', { as: 'viewer' });
  const filter = page.getByRole('combobox', { name: 'What' });
  const words = new Map<string, string>();
  for (const procedure of called) {
    await page.goto(`/audit?cols=action,account,target,procedure&action=${procedure}`);
    const rows = page.locator('tbody tr[data-index]');
    await expect
      .poll(() => rows.count(), { message: `records of ${procedure}` })
      .toBeGreaterThan(0);
    await expect.poll(() => filter.inputValue()).toMatch(/^[A-Z][^.]+$/);
    const shown = await filter.inputValue();
    words.set(procedure, shown);
    const readRows = async () =>
      (await rows.allInnerTexts()).map((row) => row.split(/\s*[\t\n]\s*/));
    const wanted = steps.filter((each) => each.procedure === procedure);
    for (const { target, by = OWNER } of wanted) {
      // Names of accounts are asked for by the rows that show them.
      await expect.poll(readRows).toContainEqual([shown, by, target, procedure]);
    }
  }
  expect(new Set(words.values()).size).toBe(words.size);
}, 300_000);
