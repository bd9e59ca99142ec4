// `muster maintenance` beside a running service.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAdminCaller } from '../../test/admin-caller.ts';
import { startProgram } from '../../test/service-process.ts';
import type { TestService } from '../../test/test-service.ts';
import { startTestService } from '../../test/test-service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

const run = async (...args: string[]) => {
  const program = await startProgram('maintenance', { DATABASE_URL: service.databaseUrl }, args);
  const code = await program.ended;
  return { code, output: program.stdout().trim(), errors: program.stderr() };
};

const createSandbox = async (name: string) => {
  const { authorization = '' } = await service.headers();
  const admin = createAdminCaller(service.baseUrl, { authorization });
  return (await admin.mutate('sandboxes.create', { name })).status;
};

test('switches a running service, prints the state, and is in the audit trail', async () => {
  expect(await run('status')).toMatchObject({ code: 0, output: 'off' });
  const on = await run('on', '--reason', 'Moving to new disks', '--retry-after', '120');
  expect(on.code).toBe(0);
  expect(on.output).toMatch(
    /^on since \S+, switched by muster, Retry-After from 120 s, reason: Moving to new disks$/,
  );
  expect((await run('status')).output).toBe(on.output);
  await expect.poll(() => createSandbox('Refused'), { timeout: 5_000 }).toBe(503);
  expect(await run('off')).toMatchObject({ code: 0, output: 'off' });
  await expect.poll(() => createSandbox('Accepted'), { timeout: 5_000 }).toBe(200);
  const records = await service.database.prisma.auditRecord.findMany({
    where: { action: 'maintenance.set', accountId: 'muster' },
    orderBy: { auditId: 'asc' },
  });
  expect(records.map(({ after, reason }) => ({ after, reason }))).toEqual([
    { after: { enabled: true, retry_after_seconds: 120 }, reason: 'Moving to new disks' },
    { after: { enabled: false }, reason: null },
  ]);
});

test('explains wrong usage and changes nothing', async () => {
  for (const args of [['on', '--retry-after', '0'], ['on', '--reason', ' '], ['pause'], []]) {
    expect(await run(...args)).toMatchObject({ code: 2, output: '' });
  }
  expect((await run('status')).output).toBe('off');
});
