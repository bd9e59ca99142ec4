// Webhooks: created with a secret that is shown once, tested, and followed delivery by delivery.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { startReceiver } from '../../api/src/webhooks/testing/webhook-receiver.ts';
import { expectNoAxeViolations } from './support/accessibility.ts';
import { testInFull } from './support/extent.ts';
import { makeSandbox } from './support/sandboxes.ts';
import { PHONE, startOwnWeb } from './support/web.ts';

const web = startOwnWeb(() => ({ env: { WEBHOOK_ALLOW_PRIVATE: '1' } }));

const owner = { as: 'owner' } as const;

const receiver = createServer((request, response) => {
  request.resume().once('end', () => response.end('received'));
});
let url: string;
beforeAll(async () => {
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/muster`;
});
afterAll(() => new Promise((resolve) => receiver.close(resolve)));

const closes: (() => void)[] = [];
afterEach(() => {
  for (const close of closes.splice(0)) close();
});

/** A receiver that verifies signatures, for one test. */
const startOwnReceiver = async () => {
  const own = await startReceiver();
  closes.push(own.close);
  return own;
};

const create = (receiverUrl: string) =>
  web.call<{ webhook_id: string; secret: string }>('webhooks.create', {
    url: receiverUrl,
    kinds: ['catalogue_edited'],
  });

test('a webhook is created, shows its secret once, and sends a test', async () => {
  const page = await web.open('/webhooks', owner);
  await page.getByText('No webhooks yet').waitFor();
  await page.getByRole('button', { name: 'New webhook' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'URL' }).fill(url);
  await dialog.getByRole('combobox', { name: 'Events' }).click();
  await page.getByRole('option', { name: 'Catalogue edited' }).click();
  await page.keyboard.press('Tab');
  await dialog.getByRole('button', { name: 'Create webhook' }).click();
  await dialog.getByText(/^whsec_/).waitFor();
  await dialog.getByRole('button', { name: 'I have kept it' }).click();
  await page.getByRole('link', { name: url }).click();
  await page.getByText('No deliveries yet').waitFor();
  expect(await page.getByText('whsec_').count()).toBe(0);
  await page.getByRole('button', { name: 'Send a test' }).click();
  await page.getByText(/The receiver responded with 200 after \d+ ms/).waitFor();
});

testInFull('a webhook for audit records has no other kind, and receives what happens', async () => {
  const own = await startOwnReceiver();
  const page = await web.open('/webhooks', owner);
  await page.getByRole('button', { name: 'New webhook' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'URL' }).fill(own.url);
  await dialog.getByRole('combobox', { name: 'Events' }).click();
  await page.getByRole('option', { name: 'Audit record written' }).click();
  await page.getByRole('option', { name: 'Session ended' }).click();
  await page.keyboard.press('Tab');
  await dialog.getByText('The receiver gets every audit record in order').waitFor();
  await dialog.getByRole('button', { name: 'Create webhook' }).click();
  await dialog.getByText('Create another webhook for the audit records.').waitFor();
  await expectNoAxeViolations(page);
  await dialog.getByRole('combobox', { name: 'Events' }).click();
  await page.getByRole('option', { name: 'Session ended' }).click();
  await page.keyboard.press('Tab');
  await dialog.getByRole('button', { name: 'Create webhook' }).click();
  own.use((await dialog.getByText(/^whsec_/).textContent()) ?? '');
  await dialog.getByRole('button', { name: 'I have kept it' }).click();
  const sandbox = await makeSandbox(web);
  const received = () =>
    own.accepted().flatMap(({ detail }) => (detail?.sandbox_id as string | undefined) ?? []);
  await expect.poll(received).toContain(sandbox.sandbox_id);
  await page.getByRole('link', { name: own.url }).click();
  await page.getByRole('row').filter({ hasText: 'audit' }).getByText('delivered').first().waitFor();
});

testInFull('a delivery appears with its response, and is sent again', async () => {
  const own = await startOwnReceiver();
  const { webhook_id, secret } = await create(own.url);
  own.use(secret);
  const sandbox = await makeSandbox(web);
  await sandbox.addItem('Axe');
  const readIds = () => own.requests.map(({ id }) => id);
  await expect.poll(readIds).toHaveLength(1);
  const [first] = readIds();
  const page = await web.open(`/webhooks/${webhook_id}`, owner);
  const row = page.getByRole('row').filter({ hasText: sandbox.sandbox_id });
  await row.getByText('delivered').waitFor();
  await page.getByText('1 delivery', { exact: true }).waitFor();
  await row.getByRole('link').click();
  const drawer = page.getByRole('dialog');
  await drawer.getByText('204', { exact: true }).waitFor();
  await drawer.getByRole('button', { name: 'Send again' }).click();
  await expect.poll(readIds).toEqual([first, first]);
});

testInFull(
  'a rotation shows the new secret once, and both secrets sign until the old one expires',
  async () => {
    const own = await startOwnReceiver();
    const { webhook_id, secret } = await create(own.url);
    const page = await web.open(`/webhooks/${webhook_id}`, owner);
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Rotate the secret' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Rotate' }).click();
    const rotated = (await dialog.getByText(/^whsec_/).textContent()) ?? '';
    expect(rotated).not.toBe(secret);
    await expectNoAxeViolations(page);
    await dialog.getByRole('button', { name: 'I have kept it' }).click();
    await page.getByText('Old secret expires').waitFor();
    expect(await page.getByText('whsec_').count()).toBe(0);
    for (const each of [secret, rotated]) {
      // The receiver verifies each request with this secret only.
      own.use(each);
      await page.getByRole('button', { name: 'Send a test' }).click();
      await expect.poll(() => own.requests.splice(0)).toMatchObject([{ status: 204 }]);
    }
  },
);

testInFull(
  'a resume enables a webhook, and sends the events since a time in new deliveries',
  async () => {
    const own = await startOwnReceiver();
    const { webhook_id, secret } = await create(own.url);
    own.use(secret);
    const sandbox = await makeSandbox(web);
    await sandbox.addItem('Axe');
    await expect.poll(() => own.requests.length).toBe(1);
    await web.call('webhooks.disable', { webhook_id });
    const page = await web.open(`/webhooks/${webhook_id}`, owner);
    await page.getByText('A person disabled it.').waitFor();
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Resume from…' }).click();
    const dialog = page.getByRole('dialog');
    const from = dialog.getByRole('textbox', { name: 'From' });
    const anHourAgo = await from.inputValue();
    await from.fill('yesterday');
    await dialog.getByRole('button', { name: 'Resume' }).click();
    await dialog.getByText('For example 2026-11-21 18:30').waitFor();
    await expectNoAxeViolations(page);
    await from.fill(anHourAgo);
    await dialog.getByRole('button', { name: 'Resume' }).click();
    await page.getByText('A person disabled it.').waitFor({ state: 'detached' });
    const [first] = own.requests[0]?.events ?? [];
    const findRepeated = () =>
      own.requests
        .slice(1)
        .find(({ events }) => events.some(({ event_id }) => event_id === first?.event_id));
    await expect.poll(findRepeated).toBeDefined();
    expect(findRepeated()?.id).not.toBe(own.requests[0]?.id);
  },
);

testInFull('a disabled webhook shows the reason, on a phone as well', async () => {
  const { webhook_id } = await web.call<{ webhook_id: string }>('webhooks.create', {
    url: `${url}/disabled`,
    kinds: ['player_joined'],
  });
  const page = await web.open(`/webhooks/${webhook_id}`, { ...owner, ...PHONE });
  await page.getByRole('button', { name: 'Disable' }).click();
  await page.getByText('A person disabled it.').waitFor();
  await expectNoAxeViolations(page);
  await page.getByRole('button', { name: 'Enable' }).click();
  await page.getByText('A person disabled it.').waitFor({ state: 'detached' });
});

testInFull('an editor may not see webhooks', async () => {
  const page = await web.open('/webhooks', { as: 'editor' });
  await page.getByText('Your account may not see webhooks').waitFor();
});
