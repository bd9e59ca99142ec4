// The system page: verification of hash chains, and the text alternatives of charts.
import { expect, test } from 'vitest';
import { expectNoAxeViolations } from './support/accessibility.ts';
import { testInFull } from './support/extent.ts';
import { makeSandbox } from './support/sandboxes.ts';
import { PHONE, startOwnWeb } from './support/web.ts';

// Its own service: the kept metrics are those of the whole service.
const web = startOwnWeb();

/** Changes the database without the service, like an attacker. */
const changeSnapshot = (sandbox: string) =>
  web.withDatabase(({ pool }) =>
    pool.query(
      `UPDATE catalogue_version SET snapshot = replace(snapshot, 'Sword', 'Sward')
       WHERE sandbox_id = $1 AND seq = 1`,
      [sandbox],
    ),
  );

test('Verify finds and shows a version that was changed in the database', async () => {
  const { sandbox_id } = await web.call<{ sandbox_id: string }>('sandboxes.create', {
    name: 'Proof',
  });
  const item = await web.call<{ item_id: string }>('items.create', {
    sandbox_id,
    name: 'Sword',
    item_type: 'unit',
  });
  await web.call('items.update', {
    sandbox_id,
    item_id: item.item_id,
    expected_version: 1,
    name: 'Long sword',
  });
  const page = await web.open('/system', { as: 'viewer' });
  const chain = page.getByRole('row', { name: /Proof/ });
  const verify = page.getByRole('button', { name: 'Verify Proof' });
  await verify.click();
  await chain.getByText('intact').waitFor();
  await chain.getByRole('button', { name: /Copy head hash …[0-9a-f]{8}/ }).waitFor();
  await changeSnapshot(sandbox_id);
  await verify.click();
  await chain.getByText('Broken at version 1').waitFor();
  await chain.getByText('The stored version is not the one that was written.').waitFor();
  await expectNoAxeViolations(page);
  await chain.getByRole('link', { name: /, version 1/ }).click();
  await page.waitForURL(`**/s/${sandbox_id}/items/${item.item_id}?*version=*`);
});

testInFull('lists the histories of all sandboxes, regardless of their number', async () => {
  const { name } = await makeSandbox(web);
  await web.withDatabase(({ pool }) =>
    pool.query(
      `INSERT INTO sandbox (sandbox_id, name) SELECT gen_random_uuid(), 'Many ' || n FROM generate_series(1, 210) n`,
    ),
  );
  const page = await web.open('/system', { as: 'viewer' });
  await page.getByRole('link', { name: 'Many 210', exact: true }).waitFor();
  await page.getByRole('button', { name: `Verify ${name}`, exact: true }).waitFor();
  await web.withDatabase(({ pool }) => pool.query(`DELETE FROM sandbox WHERE name LIKE 'Many %'`));
});

testInFull('Cancel stops a check without a result, and does not change the page', async () => {
  const { name, addItem } = await makeSandbox(web);
  await addItem('Checked axe');
  const page = await web.open('/system', { as: 'viewer' });
  const asked: string[] = [];
  // The request remains pending, like one for a very long history.
  await page.route('**/verification.check*', (route) => {
    asked.push(route.request().url());
  });
  const row = page.getByRole('row', { name: new RegExp(name) });
  const verify = page.getByRole('button', { name: `Verify ${name}` });
  await verify.click();
  const dialog = page.getByRole('dialog', { name: 'Checking versions' });
  await dialog.waitFor();
  await expect.poll(() => asked.length).toBe(1);
  await expectNoAxeViolations(page);
  await dialog.getByRole('button', { name: 'Cancel' }).press('Enter');
  await dialog.waitFor({ state: 'detached' });
  await row.getByText('not yet').waitFor();
  expect(asked).toHaveLength(1);
  await expect.poll(() => verify.evaluate((node) => node === document.activeElement)).toBe(true);
  await page.unroute('**/verification.check*');
  await verify.click();
  await row.getByText('intact').waitFor();
});

/** Keeps the same counts for each of the last minutes. */
const keepMinutes = (counts: object, gauges: object) =>
  web.withDatabase(({ pool }) =>
    pool.query(
      `INSERT INTO metric_minute (minute, counts, gauges)
       SELECT date_trunc('minute', now()) - n * interval '1 minute', $1::jsonb, $2::jsonb
       FROM generate_series(0, 8) n
       ON CONFLICT (minute) DO UPDATE SET counts = excluded.counts, gauges = excluded.gauges`,
      [JSON.stringify(counts), JSON.stringify(gauges)],
    ),
  );

testInFull(
  'a value over its threshold is named on its tile, and in a banner on every page',
  async () => {
    await keepMinutes(
      {
        requests: 600,
        errors: 0,
        'join:joined': 95,
        'join:service_overloaded': 5,
        'latency:10': 600,
      },
      { webhook_backlog_seconds: 1200 },
    );
    const page = await web.open('/system', { as: 'owner' });
    const tiles = page.getByRole('region', { name: 'The last 5 minutes' });
    const tile = (name: string) => tiles.locator('div').filter({ hasText: name });
    await tile('Failed joins').getByText('Critical', { exact: true }).waitFor();
    await tile('Failed joins').getByText('5 %', { exact: true }).waitFor();
    await tile('Webhook backlog').getByText('Warning', { exact: true }).waitFor();
    await tile('Errors of the service').getByText('OK', { exact: true }).waitFor();
    const banner = page.getByRole('status').filter({ hasText: 'Critical' });
    await banner.getByText(/Failed joins 5 % · .*Webhook backlog 20 min/).waitFor();
    await expectNoAxeViolations(page);

    const phone = await web.open('/sessions', { as: 'viewer', ...PHONE });
    await phone.getByText(/Failed joins 5 %/).waitFor();
    await expectNoAxeViolations(phone);
    await phone.getByRole('link', { name: 'System', exact: true }).click();
    await phone.getByRole('heading', { name: 'System', level: 1 }).waitFor();

    await web.withDatabase(({ pool }) => pool.query('TRUNCATE metric_minute'));
  },
);

testInFull('charts show what all processes did, in words and in a table', async () => {
  await web.withDatabase(({ pool }) =>
    pool.query(
      `INSERT INTO metric_minute (minute, counts, gauges)
       SELECT date_trunc('minute', now()) - n * interval '1 minute',
         '{"requests": 600, "errors": 6, "join:joined": 120, "latency:10": 600, "statements": 2, "statement_ms": 7}',
         '{"live_sessions": 40, "seated_players": 160}'
       FROM generate_series(1, 3 * 60) n ON CONFLICT (minute) DO UPDATE SET counts = excluded.counts, gauges = excluded.gauges`,
    ),
  );
  const page = await web.open('/system', { as: 'viewer' });
  const figure = page.getByRole('figure', { name: 'Requests and joins' });
  await figure.locator('canvas').waitFor();
  await figure.getByText(/Requests: last 10(\.\d+)? per second, at most/).waitFor();
  await figure.getByText('Show as a table').click();
  await figure.getByRole('columnheader', { name: 'Errors of the service' }).waitFor();
  const times = page.getByRole('figure', { name: 'Response time' });
  await times.getByText('milliseconds', { exact: true }).waitFor();
  await times.getByText(/Database latency: last 3\.\d+ milliseconds/).waitFor();
  const players = page.getByRole('figure', { name: 'Sessions and players' });
  await players.getByText(/Live sessions: last 40 .* Players seated: last 160/).waitFor();
  await page.getByText('24 hours', { exact: true }).click();
  await page.waitForURL('**/system?minutes=1440');
  await expect.poll(() => figure.locator('tbody tr').count()).toBe(144);
  await page.getByText('7 days', { exact: true }).click();
  await expect.poll(() => figure.locator('tbody tr').count()).toBe(168);
  await page.getByRole('table', { name: 'Join metrics' }).waitFor();
  await expectNoAxeViolations(page);
});
