// A service without data: each list explains the first step.
import { expect, test } from 'vitest';
import { expectNoAxeViolations } from './support/accessibility.ts';
import { firstOf, testInFull } from './support/extent.ts';
import { registerPlayer } from './support/sessions.ts';
import { startOwnWeb } from './support/web.ts';

const web = startOwnWeb();

const LISTS = [
  ['/sessions', 'No sessions are running'],
  ['/session-types', 'No session types yet'],
  ['/players', 'No players yet'],
  ['/keys', 'No service accounts yet'],
] as const;

test.each(firstOf(LISTS))('%s shows: %s', async (path, words) => {
  const page = await web.open(path, { as: 'owner' });
  await page.getByText(words).waitFor();
  await expectNoAxeViolations(page);
});

testInFull('finds players by part of the name, with the keyboard only', async () => {
  await registerPlayer(web, 'Grace Hopper');
  await registerPlayer(web, 'Alan Turing');
  const page = await web.open('/players', { as: 'owner' });
  await page.getByText('2 players').waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type('HOPP');
  await page.getByText('1 Player').waitFor();
  await expectNoAxeViolations(page);
  await page.keyboard.press('Escape');
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Grace Hopper' }).waitFor();
  await page.goBack();
  await page.getByText('1 Player').waitFor();
  expect(new URL(page.url()).searchParams.get('query')).toBe('HOPP');
});
