// The examples of the README: compiled against the packed client, then run against the real service.
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Service } from '../start/start-service.ts';
import { signToken, startService } from '../start/start-service.ts';
import type { PackedClient } from './pack-client.ts';
import { packClient } from './pack-client.ts';

const README = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
const TSC = fileURLToPath(new URL('../../../../node_modules/.bin/tsc', import.meta.url));
const run = promisify(execFile);

/** A program, and below it what it prints. */
const EXAMPLES = [...README.matchAll(/```ts\n(.*?)```\n\n```text\n(.*?)```/gs)].map(
  ([, program = '', output = ''], index) => ({ program, output, file: `example-${index}.ts` }),
);

/** The options of a typical project; `lib.dom` represents any runtime with web APIs. */
const COMPILER_OPTIONS = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noEmit: true,
  types: [],
  target: 'es2022',
  lib: ['es2022', 'dom', 'dom.iterable'],
  module: 'nodenext',
  allowImportingTsExtensions: true,
  skipLibCheck: false,
};

const PLAYER = '5f0c8f2e-3f4b-4d65-9d0a-1c1f5f2b7a01';
const SANDBOX = '0b9f2c1e-6a53-4e0b-8f57-2f6f0d3c9a10';
const PERMISSIONS = ['session:update-player:self', `sandbox:${SANDBOX}:config:view`];

let service: Service;
let packed: PackedClient;
beforeAll(async () => {
  packed = packClient();
  service = await startService();
  await makeFixtures();
  const token = JSON.stringify(signToken(PLAYER, PERMISSIONS));
  write('sign-in.ts', `export const signIn = async () => ${token};\n`);
  write('package.json', '{ "type": "module" }');
  write('tsconfig.json', JSON.stringify({ compilerOptions: COMPILER_OPTIONS }));
  for (const { file, program } of EXAMPLES) {
    write(file, program.replace('https://muster.example', service.baseUrl));
  }
});
afterAll(async () => {
  await service?.stop();
  packed?.remove();
});

const write = (file: string, text: string) => writeFileSync(join(packed.project, file), text);

/** What the examples speak of. */
const makeFixtures = async (): Promise<void> => {
  const { admin } = service;
  await admin('sessionTypes.upsert', { type: 'match', default_teams: [] });
  await makeSession('bXVzdGVyLXNlc3Npb24', [{ team_id: 0, max_size: 4 }]);
  const full = [0, 1].map((team_id) => ({ team_id, max_size: 1 }));
  const { session_id } = await makeSession('ZnVsbC1zZXNzaW9u', full);
  for (const { team_id } of full) {
    const player_uuid = `00000000-0000-4000-8000-00000000000${team_id}`;
    const held = { type: 'match', session_id, player_uuid, team_id, status: 'reserved' };
    await admin('players.register', { player_uuid });
    await admin('sessions.invitePlayer', held);
  }
  await makeItem();
};

const makeSession = async (id: string, teams: object[]): Promise<{ session_id: string }> => {
  const child = { platform: 'Steam', platform_session_type: 't', platform_session_id_base64: id };
  const input = { type: 'match', teams, platform_session: [child] };
  return (await service.admin<{ session: { session_id: string } }>('sessions.create', input))
    .session;
};

const makeItem = async (): Promise<void> => {
  const sandbox_id = SANDBOX;
  await service.admin('sandboxes.create', { sandbox_id, name: 'Live' });
  const fields = { sandbox_id, name: 'Iron Sword', item_type: 'unit' };
  const item = await service.admin<{ item_id: string; version: number }>('items.create', fields);
  const { item_id, version: expected_version } = item;
  await service.admin('items.update', {
    sandbox_id,
    item_id,
    expected_version,
    name: 'Steel Sword',
  });
};

test('every example of the README has its output', () => {
  expect(EXAMPLES).toHaveLength(README.split('```ts\n').length - 1);
  expect(EXAMPLES.length).toBeGreaterThan(3);
});

test('all of them compile against the published types, as strictly as can be', async () => {
  const compiled = await run(TSC, [], { cwd: packed.project }).catch((error) => error);
  expect(compiled.stdout).toBe('');
  expect(compiled.code).toBeUndefined();
});

test.each(EXAMPLES)('$file prints what the README says', async ({ file, output }) => {
  const { stdout } = await run(process.execPath, [file], { cwd: packed.project });
  expect(stdout).toBe(output);
});
