// Generates the Prisma client when the model or the generator changed since the last time. The half of it that runs is committed; the
// other half are types, which development needs.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { runQuietly } from '../run/run-program.mjs';
import { fingerprint, isStamped, readIfPresent, removeStamp, writeStamp } from './fingerprint.mjs';
import { ROOT, SetupError } from './repository.mjs';
import { findRuntimeCommand, projectEnvironment } from './runtime.mjs';

const STAMP = 'prisma-client';
const GENERATED = join(ROOT, 'packages/database/src/generated');
const GENERATOR = join(ROOT, 'packages/database/src/generate-client.ts');
const SOURCES = [
  'prisma/schema.prisma',
  'packages/database/package.json',
  'node_modules/prisma/package.json',
  'node_modules/@prisma/client/package.json',
];

/** Whether the half that runs is that of the model: it holds the text that it was generated from, which Prisma has aligned. */
export function isClientCurrent() {
  const config = readIfPresent(join(GENERATED, 'internal/class.ts'));
  const schema = /"inlineSchema": ("(?:[^"\\]|\\.)*")/.exec(config)?.[1] ?? '""';
  const model = readIfPresent(join(ROOT, 'prisma/schema.prisma'));
  return withoutAlignment(JSON.parse(schema)) === withoutAlignment(model);
}

/** @param {string} text */
function withoutAlignment(text) {
  return text.replace(/ +/g, ' ');
}

/** Whether all of it is there, types included. */
export function isClientGenerated() {
  const hasTypes = existsSync(join(GENERATED, 'models.ts'));
  return hasTypes && isClientCurrent() && isStamped(STAMP, fingerprint(SOURCES));
}

export async function generateClient() {
  if (isClientGenerated()) return;
  const digest = fingerprint(SOURCES);
  removeStamp(STAMP);
  const { command, args } = findRuntimeCommand();
  const program = { command, args: [...args, GENERATOR], env: projectEnvironment() };
  await runQuietly('Generating the database client', program);
  if (!isClientCurrent())
    throw new SetupError('The generated database client does not fit prisma/schema.prisma.');
  writeStamp(STAMP, digest);
}
