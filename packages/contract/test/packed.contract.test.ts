// The package as it would be published: built, packed, unpacked into an empty project, and its README run.
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';

const run = promisify(execFile);
const PACKAGE = fileURLToPath(new URL('..', import.meta.url));
const INSTALLED = fileURLToPath(new URL('../../../node_modules', import.meta.url));

let project: string;

beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'muster-contract-'));
  await run('npm', ['run', 'build'], { cwd: PACKAGE });
  const packing = ['pack', './dist', '--json', '--pack-destination', project];
  const { stdout } = await run('npm', packing, { cwd: PACKAGE });
  const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
  const home = join(project, 'node_modules/@muster/contract');
  await mkdir(home, { recursive: true });
  await run('tar', ['-xzf', join(project, filename), '-C', home, '--strip-components=1']);
  await linkDependencies(join(home, 'package.json'));
}, 120_000);

afterAll(() => rm(project, { recursive: true, force: true }));

/** Only what the manifest names is there, as after an installation. */
const linkDependencies = async (manifest: string): Promise<void> => {
  const { dependencies } = JSON.parse(await readFile(manifest, 'utf8')) as {
    dependencies: Record<string, string>;
  };
  for (const name of Object.keys(dependencies)) {
    const link = join(project, 'node_modules', name);
    await mkdir(dirname(link), { recursive: true });
    await symlink(join(INSTALLED, name), link);
  }
};

test('the program of the README runs and prints what the README says', async () => {
  const readme = await readFile(join(PACKAGE, 'README.md'), 'utf8');
  const [, program = ''] = /```ts\n([\s\S]*?)```/.exec(readme) ?? [];
  await writeFile(join(project, 'program.mjs'), program);
  const { stdout } = await run(process.execPath, [join(project, 'program.mjs')]);
  const path =
    '/session/v1/platform/:platform/platform-session/:platform_session_id_base64/player/:player_uuid';
  expect(stdout.trim().split('\n')).toEqual([path, 'false', 'true', '3.1.0']);
});
