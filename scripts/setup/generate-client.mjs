// Generates the Prisma client when the model or the generator changed since the last time.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { runProgram } from '../run/run-program.mjs';
import { fingerprint, isStamped, removeStamp, writeStamp } from './fingerprint.mjs';
import { ROOT, report, SetupError } from './repository.mjs';
import { findRuntime, projectEnvironment } from './runtime.mjs';

const STAMP = 'prisma-client';
const GENERATED = join(ROOT, 'packages/database/src/generated');
const SOURCES = [
  'prisma/schema.prisma',
  'packages/database/package.json',
  'packages/database/prisma.config.ts',
  'node_modules/prisma/package.json',
  'node_modules/@prisma/client/package.json',
];

export function isClientGenerated() {
  return isStamped(STAMP, fingerprint(SOURCES)) && isFilled(GENERATED);
}

/** @param {string} folder */
function isFilled(folder) {
  return existsSync(folder) && readdirSync(folder).length > 0;
}

export async function generateClient() {
  if (isClientGenerated()) return;
  const digest = fingerprint(SOURCES);
  removeStamp(STAMP);
  report('Generating the database client …');
  const output = /** @type {string[]} */ ([]);
  const code = await runGenerator(output);
  if (code !== 0 || !isFilled(GENERATED)) {
    process.stderr.write(output.join(''));
    throw new SetupError('Generating the database client failed (see above).');
  }
  writeStamp(STAMP, digest);
}

/**
 * Prisma asks for an engine that it would download, although generating never starts it: any
 * executable satisfies the question, which keeps generating possible without internet.
 * @param {string[]} output receives what the generator prints
 */
function runGenerator(output) {
  const [command = '', ...args] = npmRun('generate', '@muster/database');
  const env = { ...projectEnvironment(), PRISMA_SCHEMA_ENGINE_BINARY: findRuntime() };
  return runProgram({ command, args, env, stdio: ['ignore', 'pipe', 'pipe'] }, (child) => {
    child.stdout?.on('data', (chunk) => output.push(String(chunk)));
    child.stderr?.on('data', (chunk) => output.push(String(chunk)));
  });
}

/** @param {string} script @param {string} workspace */
function npmRun(script, workspace) {
  const { npm_execpath: npm, npm_node_execpath: node } = process.env;
  const start = npm && node ? [node, npm] : [process.platform === 'win32' ? 'npm.cmd' : 'npm'];
  return [...start, 'run', '--silent', script, '--workspace', workspace];
}
