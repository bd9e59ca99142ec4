// The package as it would be published: built, packed, unpacked into an empty project, and its README run.
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';

const run = promisify(execFile);
const PACKAGE = fileURLToPath(new URL('..', import.meta.url));
const INSTALLED = fileURLToPath(new URL('../../../node_modules', import.meta.url));

let project: string;
const home = (): string => join(project, 'node_modules/@muster/contract');

beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'muster-contract-'));
  await run('npm', ['run', 'build'], { cwd: PACKAGE });
  const packing = ['pack', './dist', '--json', '--pack-destination', project];
  const { stdout } = await run('npm', packing, { cwd: PACKAGE });
  const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
  await mkdir(home(), { recursive: true });
  await run('tar', ['-xzf', join(project, filename), '-C', home(), '--strip-components=1']);
  await linkDependencies(join(home(), 'package.json'));
});

afterAll(() => rm(project, { recursive: true, force: true }));

/** Only what the manifest names is there, as after an installation. */
const linkDependencies = async (
  manifest: string,
  kind: 'dependencies' | 'peerDependencies' = 'dependencies',
): Promise<void> => {
  const named = JSON.parse(await readFile(manifest, 'utf8')) as Record<
    typeof kind,
    Record<string, string>
  >;
  for (const name of Object.keys(named[kind])) {
    const link = join(project, 'node_modules', name);
    await mkdir(dirname(link), { recursive: true });
    await symlink(join(INSTALLED, name), link);
  }
};

const runProgram = async (program: string): Promise<string> => {
  const file = join(project, 'program.mjs');
  await writeFile(file, program);
  return (await run(process.execPath, [file])).stdout.trim();
};

test('the schemas need no ts-rest, which is not installed with them', async () => {
  await expect(readdir(join(project, 'node_modules/@ts-rest'))).rejects.toThrow('ENOENT');
  const program = `
    import { JoinRequest, permits } from '@muster/contract/schemas';
    console.log(JoinRequest.safeParse({}).success, permits(['session:*'], ['session:view']));`;
  expect(await runProgram(program)).toBe('false true');
});

test('the program of the README runs and prints what the README says', async () => {
  await linkDependencies(join(home(), 'package.json'), 'peerDependencies');
  const readme = await readFile(join(PACKAGE, 'README.md'), 'utf8');
  const [, program = ''] = /```ts\n([\s\S]*?)```/.exec(readme) ?? [];
  const path =
    '/session/v1/platform/:platform/platform-session/:platform_session_id_base64/player/:player_uuid';
  expect((await runProgram(program)).split('\n')).toEqual([path, 'false', 'true', '3.1.0']);
});
