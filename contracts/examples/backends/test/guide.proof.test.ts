// The commands of docs/guides/backends.md, in their order, against a real service.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { createAdminClient } from '@muster/admin-client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Service } from '../../../../packages/client/test/start/start-service.ts';
import { signToken, startService } from '../../../../packages/client/test/start/start-service.ts';

const GUIDE = readFileSync(new URL('../../../../docs/guides/backends.md', import.meta.url), 'utf8');

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service?.stop());

type Response = { result?: unknown; error?: { data: { error_code: string } } };

test('every call of the guide for backends is accepted, and the one that is marked is refused', async () => {
  const blocks = [...GUIDE.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block);
  const commands = blocks.join('').replace(/^BASE=.*$/m, '');
  const env = {
    ...process.env,
    BASE: service.baseUrl,
    KEY: signToken('game-backend', ['session:*']),
  };
  const { stdout } = await promisify(execFile)('sh', ['-e', '-c', commands], { env });
  const responses = stdout
    .trim()
    .split('\n')
    .map((line): Response => JSON.parse(line));
  const refusals = responses.flatMap(({ error }) => (error ? [error.data.error_code] : []));
  expect(refusals).toEqual(['session_not_empty']);
  expect(responses).toHaveLength(commands.match(/^call [a-z]/gm)?.length ?? 0);
});

test('a server that repeats its registration gets its session as it is, and then the ended one', async () => {
  const muster = createAdminClient({
    baseUrl: service.baseUrl,
    token: signToken('game-server', ['session:*']),
  });
  const server = { type: 'duel', session_id: 'server-1-boot-1' };
  const instance = {
    instance_id: 'server-1-boot-1',
    host_type: 'dedicated',
    join_status: 'joinable',
  } as const;
  const register = () =>
    muster.call('sessions.create', { ...server, teams: [{ max_size: 2 }], instance });
  const { etag } = await register();
  expect((await register()).etag).toBe(etag);
  await muster.call('sessions.setInstanceStatus', { ...server, join_status: 'unjoinable' });
  const { session } = await register();
  expect(session.instance?.join_status).toBe('unjoinable');
  await muster.call('sessions.end', server);
  expect(await register()).toHaveProperty('ended');
  const again = await muster.call('sessions.create', {
    ...server,
    session_id: 'server-1-boot-2',
    teams: [{ max_size: 2 }],
  });
  expect(again).not.toHaveProperty('ended');
});
