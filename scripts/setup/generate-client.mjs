// Generates the Prisma client when the model or the generator changed since the last time.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { runProgram } from '../run/run-program.mjs';
import { fingerprint, isStamped, removeStamp, writeStamp } from './fingerprint.mjs';
import { ROOT, report, SetupError } from './repository.mjs';
import { findRuntimeCommand, projectEnvironment } from './runtime.mjs';

const STAMP = 'prisma-client';
const GENERATED = join(ROOT, 'packages/database/src/generated');
const GENERATOR = join(ROOT, 'packages/database/src/generate-client.ts');
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

/** @param {string[]} output receives what the generator prints */
function runGenerator(output) {
  const { command, args } = findRuntimeCommand();
  const program = { command, args: [...args, GENERATOR], env: projectEnvironment() };
  return runProgram({ ...program, stdio: ['ignore', 'pipe', 'pipe'] }, (child) => {
    child.stdout?.on('data', (chunk) => output.push(String(chunk)));
    child.stderr?.on('data', (chunk) => output.push(String(chunk)));
  });
}
