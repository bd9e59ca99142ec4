import { afterAll, beforeAll, expect, test } from 'vitest';
import { BODY, JOIN } from '../public-client.ts';
import { readMetric } from '../read-metrics.ts';
import { watchSuiteLog } from '../suite-logs/suite-logs.ts';
import type { TestService } from '../test-service.ts';
import { startTestService } from '../test-service.ts';
import { createTransferClient } from '../transfer-client.ts';
import { holdCatalogue } from './hold-tables.ts';

const SANDBOX = '0196b8a0-0000-7000-8000-00000000e891';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
  const { mutate } = createTransferClient(service);
  await mutate('sandboxes.create', { sandbox_id: SANDBOX, name: 'Transferred' });
});
afterAll(() => service.close());

const exportAs = async (account: string) => {
  const client = createTransferClient(service, { sub: account, permissions: ['sandbox:*'] });
  const response = await client.exportFile(SANDBOX, 'item');
  return { status: response.status, text: await response.text(), headers: response.headers };
};

test('exports beyond the limits are refused and take no database connection', async () => {
  const client = createTransferClient(service);
  const item = { sandbox_id: SANDBOX, name: 'Sword', item_type: 'unit' };
  await client.mutate('items.create', item);

  const readLog = watchSuiteLog();
  const release = await holdCatalogue(service.database);
  const accounts = ['ann', 'ann', 'ann', ...Array.from({ length: 37 }, (_, n) => `other ${n}`)];
  const exports = accounts.map(exportAs);
  const refused = () =>
    readMetric(service, 'muster_requests_refused_total{kind="other",reason="transfers"}');
  await expect.poll(refused).toBe(36);

  const init = { method: 'POST', headers: await service.headers(), body: JSON.stringify(BODY) };
  expect((await fetch(service.baseUrl + JOIN, init)).status).toBe(404);
  expect(await client.query('sessions.list', {})).toMatchObject({ sessions: [] });
  await release();

  const answers = await Promise.all(exports);
  const served = answers.filter(({ status }) => status === 200);
  expect(served).toHaveLength(4);
  for (const { text } of served) expect(text).toContain('"Sword"');
  for (const { status, text, headers } of answers.filter((answer) => !served.includes(answer))) {
    expect(status).toBe(429);
    expect(JSON.parse(text)).toMatchObject({ auth_success: true, error_code: 'rate_limited' });
    expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  }
  // A retry is served.
  expect((await exportAs('ann')).status).toBe(200);
  // No request waited in vain for a connection, which the pool would report in these words.
  const log = readLog();
  expect(log.match(/"status":429/g)).toHaveLength(36);
  expect(answers.map(({ text }) => text).join('\n') + log).not.toContain(
    'timeout exceeded when trying to connect',
  );
});

test('players who read slowly leave exports to everyone else', async () => {
  const client = createTransferClient(service);
  await client.mutate('items.create', { sandbox_id: SANDBOX, name: 'Shield', item_type: 'unit' });
  const exportAsPlayer = async (sub: string) => {
    const permissions = ['session:update-player:self', 'sandbox:config:view'];
    const response = await createTransferClient(service, { sub, permissions }).exportFile(
      SANDBOX,
      'item',
    );
    await response.text();
    return response.status;
  };
  const refused = () =>
    readMetric(service, 'muster_requests_refused_total{kind="other",reason="transfers"}');
  const before = await refused();
  const release = await holdCatalogue(service.database);
  const players = ['player 1', 'player 1', 'player 2', 'player 2', 'player 3', 'player 4'];
  const ofPlayers = players.map(exportAsPlayer);
  await expect.poll(refused, { timeout: 10_000 }).toBeGreaterThanOrEqual(before + 2);
  const ofService = [exportAs('backend'), exportAs('backend')];
  await release();
  expect((await Promise.all(ofService)).map(({ status }) => status)).toEqual([200, 200]);
  expect((await Promise.all(ofPlayers)).sort()).toEqual([200, 200, 429, 429, 429, 429]);
});

/** An upload that continues until it is finished; `answer` is its status. */
const beginImport = async (account: string) => {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  void writer.write(Buffer.from('\n'));
  // The types of fetch do not know that the body of a request may be a stream.
  const options: RequestInit & { duplex: 'half' } = {
    method: 'POST',
    body: readable,
    duplex: 'half',
    headers: await service.headers({ sub: account, permissions: ['sandbox:*'] }),
  };
  const answer = fetch(`${service.baseUrl}/admin/import/${SANDBOX}/item`, options);
  return { status: answer.then(({ status }) => status), finish: () => writer.close() };
};

test('imports beyond the limits are refused while the others are on their way, and served afterwards', async () => {
  const importAs = async (account: string) => {
    const client = createTransferClient(service, { sub: account, permissions: ['sandbox:*'] });
    const { status, body } = await client.importFile(SANDBOX, 'item', {}, '');
    return status === 200 ? 'served' : `${status} ${body.error_code}: ${body.desc}`;
  };
  const running = [await beginImport('ann'), await beginImport('ann')];
  const ofAccount =
    '429 rate_limited: This account has 2 imports running: try again when one has ended.';
  // A refusal takes a second.
  await expect.poll(() => importAs('ann'), { timeout: 10_000 }).toBe(ofAccount);
  expect(await importAs('ben')).toBe('served');
  running.push(await beginImport('cid'));
  const ofAll = '429 rate_limited: There are 3 imports running; try again later.';
  await expect.poll(() => importAs('ben'), { timeout: 10_000 }).toBe(ofAll);
  for (const { finish } of running) await finish();
  for (const { status } of running) expect(await status).toBe(200);
  expect(await importAs('ann')).toBe('served');
});
