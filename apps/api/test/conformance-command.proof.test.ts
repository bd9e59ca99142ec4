// The command of the conformance suite deletes everything that it creates, whatever ends it.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { suite } from '@muster/conformance';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TestService } from './test-service.ts';
import { startTestService } from './test-service.ts';

const MAIN = fileURLToPath(new URL('../../../packages/conformance/src/main.ts', import.meta.url));
const secret = randomBytes(36).toString('hex');

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ env: { AUTH_JWT_SECRET: secret } });
});
afterAll(() => service.close());

const start = (...args: string[]) => {
  const target = ['--base-url', service.baseUrl, '--secret', secret, '--section', 'etag'];
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const child = spawn(process.execPath, [MAIN, ...target, ...args], {
    env: { PATH, NODE_COMPILE_CACHE },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (part) => (output += part));
  const ended = once(child, 'close').then(([code]) => ({ code, output }));
  return { child, ended };
};

const countLeft = async () => {
  const { session, sessionType, player, sandbox } = service.database.prisma;
  const living = { where: { deletedAt: null } };
  const counts = [session.count(), sessionType.count(), player.count(), sandbox.count(living)];
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
};

it('deletes what it has created', async () => {
  const { code, output } = await start().ended;
  expect([code, await countLeft()], output).toEqual([0, 0]);
});

it('deletes it when it is interrupted, and starts no other case', async () => {
  const { child, ended } = start('--concurrency', '1');
  await once(child.stdout, 'data');
  await expect.poll(countLeft).toBeGreaterThan(0);
  // As in a terminal, where the parent process forwards its own copy.
  child.kill('SIGINT');
  setTimeout(() => child.kill('SIGINT'), 5);
  const { code, output } = await ended;
  expect([code, await countLeft()], output).toEqual([130, 0]);
  const cases = suite.filter(({ section }) => /etag/i.test(section));
  expect(Number(/^(\d+) passed/m.exec(output)?.[1])).toBeLessThan(cases.length);
});

it('keeps it with --keep', async () => {
  const { code, output } = await start('--keep').ended;
  expect([code, (await countLeft()) > 0], output).toEqual([0, true]);
});
