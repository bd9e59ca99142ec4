// Brings the runtimes as packages of their own, beside the repository's: they are large, and only `node scripts/run.mjs runtimes` needs them.
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { installApart } from '../../setup/install-apart.mjs';
import { ROOT } from '../../setup/repository.mjs';
import { findRuntime } from '../../setup/runtime.mjs';

/** A program that runs TypeScript, and the arguments in front of the file. */
export type Runtime = { name: RuntimeName; version: string; command: string; args: string[] };

const VERSIONS = 'scripts/runtimes/versions';
const FILES = ['package.json', 'package-lock.json'];
/** Outside of node_modules, which `npm ci` removes. */
const FOLDER = join(ROOT, '.runtimes');

/** Installs when something changed since the last time. Throws when npm fails or a program does not say its version. */
export const installRuntimes = async (): Promise<Runtime[]> => {
  mkdirSync(FOLDER, { recursive: true });
  for (const file of FILES) copyFileSync(join(ROOT, VERSIONS, file), join(FOLDER, file));
  await installApart({ folder: '.runtimes', what: 'the runtimes' });
  return [
    describe('node22', join(packageFolder('node22'), 'bin/node')),
    describe('node24', findRuntime()),
    describe('node26', join(packageFolder('node26'), 'bin/node')),
    describe('bun', join(packageFolder('bun'), 'bin/bun.exe')),
    describe('deno', findDeno(), ['run', '--allow-all', '--quiet']),
  ];
};

const packageFolder = (name: string): string => join(FOLDER, 'node_modules', name);

/** The package `deno` is a launcher on Node.js; the program itself is in a package per platform. */
const findDeno = (): string => {
  const launcher = createRequire(join(packageFolder('deno'), 'package.json'));
  const manifest = JSON.parse(readFileSync(launcher.resolve('./package.json'), 'utf8'));
  for (const name of Object.keys(manifest.optionalDependencies)) {
    const file = findFile(launcher, `${name}/package.json`);
    if (file) return join(dirname(file), process.platform === 'win32' ? 'deno.exe' : 'deno');
  }
  throw new Error('There is no package of Deno for this platform.');
};

const findFile = (require: NodeJS.Require, request: string): string | null => {
  try {
    return require.resolve(request);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND') return null;
    throw error;
  }
};

const describe = (name: RuntimeName, command: string, args: string[] = []): Runtime => {
  const said = execFileSync(command, ['--version'], { encoding: 'utf8' });
  const version = /\d+\.\d+\.\d+/.exec(said)?.[0];
  if (!version) throw new Error(`${command} does not say its version: ${said}`);
  return { name, version, command, args };
};

export const RUNTIME_NAMES = ['node22', 'node24', 'node26', 'bun', 'deno'] as const;

export type RuntimeName = (typeof RUNTIME_NAMES)[number];
