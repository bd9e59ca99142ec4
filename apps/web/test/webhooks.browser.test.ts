// Webhooks: created with a secret that is shown once, tested, and followed delivery by delivery.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectNoAxeViolations } from './support/accessibility.ts';
import { makeSandbox } from './support/sandboxes.ts';
import { PHONE, startOwnWeb } from './support/web.ts';

const web = startOwnWeb(() => ({ env: { WEBHOOK_ALLOW_PRIVATE: '1' } }));

const owner = { as: 'owner' } as const;

const received: string[] = [];
const receiver = createServer((request, response) => {
  received.push(String(request.headers['webhook-id']));
  request.resume().once('end', () => response.end('received'));
});
let url: string;
beforeAll(async () => {
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/muster`;
});
afterAll(() => new Promise((resolve) => receiver.close(resolve)));

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

test('a delivery appears with its response, and is sent again', async () => {
  const { webhook_id } = await web.call<{ webhook_id: string }>('webhooks.create', {
    url,
    kinds: ['catalogue_edited'],
  });
  const sandbox = await makeSandbox(web);
  const before = received.length;
  await sandbox.addItem('Axe');
  await expect.poll(() => received.length).toBeGreaterThan(before);
  const page = await web.open(`/webhooks/${webhook_id}`, owner);
  const row = page.getByRole('row').filter({ hasText: sandbox.sandbox_id });
  await row.getByText('delivered').waitFor();
  await row.getByRole('link').click();
  const drawer = page.getByRole('dialog');
  await drawer.getByText('200', { exact: true }).waitFor();
  const [first] = received.slice(-1);
  await drawer.getByRole('button', { name: 'Send again' }).click();
  await expect.poll(() => received.filter((id) => id === first).length).toBe(2);
});

test('a disabled webhook shows the reason, on a phone as well', async () => {
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

test('an editor may not see webhooks', async () => {
  const page = await web.open('/webhooks', { as: 'editor' });
  await page.getByText('Your account may not see webhooks').waitFor();
});
