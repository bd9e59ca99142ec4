// The examples of the README: compiled against the packed client, then run against the real service, as ES modules and as CommonJS.
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Service } from '../../../client/test/start/start-service.ts';
import { signToken, startService } from '../../../client/test/start/start-service.ts';
import type { PackedClient } from './pack-client.ts';
import { packClient } from './pack-client.ts';

const README = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
const TSC = fileURLToPath(new URL('../../../../node_modules/.bin/tsc', import.meta.url));
const run = promisify(execFile);

/** A program, and below it what it prints. */
const EXAMPLES = [...README.matchAll(/```ts\n(.*?)```\n\n```text\n(.*?)```/gs)].map(
  ([, program = '', output = ''], index) => ({ program, output, file: `example-${index}.ts` }),
);

/** A program of a project without ES modules. */
const COMMONJS = `import { AdminApiError, createAdminClient } from '@muster/admin-client';

const muster = createAdminClient({ baseUrl: 'https://muster.example', token: 'msk_unknown' });
muster.call('me.get').catch((error: AdminApiError) => {
  console.log(error instanceof AdminApiError, error.status);
});
`;

/** The options of a typical project; `lib.dom` represents any runtime with web APIs. */
const COMPILER_OPTIONS = {
  strict: true,
  exactOptionalPropertyTypes: true,
  types: [],
  target: 'es2022',
  lib: ['es2022', 'dom', 'dom.iterable', 'dom.asynciterable'],
  module: 'nodenext',
  outDir: 'out',
  skipLibCheck: false,
};

/** Projects of Node.js have it from `@types/node`. */
const PROCESS = 'declare const process: { env: Record<string, string | undefined> };\n';

let service: Service;
let packed: PackedClient;
beforeAll(async () => {
  packed = packClient();
  service = await startService();
  write('package.json', '{ "type": "module" }');
  write('tsconfig.json', JSON.stringify({ compilerOptions: COMPILER_OPTIONS }));
  write('process.d.ts', PROCESS);
  write('commonjs.cts', here(COMMONJS));
  for (const { file, program } of EXAMPLES) write(file, here(program));
});
afterAll(async () => {
  await service?.stop();
  packed?.remove();
});

const write = (file: string, text: string) => writeFileSync(join(packed.project, file), text);
const here = (program: string) => program.replace('https://muster.example', service.baseUrl);

const runProgram = async (file: string): Promise<string> => {
  const env = { MUSTER_KEY: signToken('game-backend', ['*']) };
  const { stdout } = await run(process.execPath, [join('out', file)], { cwd: packed.project, env });
  return stdout;
};

test('every example of the README has its output', () => {
  expect(EXAMPLES).toHaveLength(README.split('```ts\n').length - 1);
  expect(EXAMPLES.length).toBeGreaterThan(2);
});

test('all of them compile against the published types, as strictly as can be', async () => {
  const compiled = await run(TSC, [], { cwd: packed.project }).catch((error) => error);
  expect(compiled.stdout).toBe('');
  expect(compiled.code).toBeUndefined();
});

// They run in order: a later example uses what an earlier one has made.
test.each(EXAMPLES)('$file prints what the README says', async ({ file, output }) => {
  expect(await runProgram(file.replace('.ts', '.js'))).toBe(output);
});

test('a CommonJS program requires the client, and catches its errors', async () => {
  expect(await runProgram('commonjs.cjs')).toBe('true 403\n');
});
