// `npm run generate`: writes the Prisma client into src/generated, without network and without telemetry. `--check` compares the
// committed files with the ones that the model generates now. The runtime part is committed, so that starting from a clone does
// not need Prisma's command line; the other files are types.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DEFAULT_PRISMA_DIR } from './migrations/migrate-database.ts';

const ROOT = join(DEFAULT_PRISMA_DIR, '..');
/** What is committed, in the folder that the model names. */
const COMMITTED = ['client.ts', 'enums.ts', 'internal/class.ts', 'internal/prismaNamespace.ts'].map(
  (file) => `packages/database/src/generated/${file}`,
);

const cli = createRequire(import.meta.url).resolve('prisma/build/index.js');

/** Writes the client of a model; where, the model says. Answers the exit code. */
const generate = (schema: string): number => {
  const runtimeArguments = 'Deno' in globalThis ? ['run', '--allow-all', '--quiet'] : [];
  const args = [...runtimeArguments, cli, 'generate', '--schema', schema, '--no-hints'];
  const { status } = spawnSync(process.execPath, args, {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      CHECKPOINT_DISABLE: '1',
      PRISMA_HIDE_UPDATE_MESSAGE: '1',
      // Generating needs no schema engine, but the command line downloads one unless this variable is set.
      PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
    },
  });
  return status ?? 1;
};

/** Generates in another place and names each committed file that is not the same there. */
const check = (): number => {
  const folder = mkdtempSync(join(tmpdir(), 'muster-client-'));
  try {
    mkdirSync(join(folder, 'prisma'));
    const schema = join(folder, 'prisma/schema.prisma');
    cpSync(join(DEFAULT_PRISMA_DIR, 'schema.prisma'), schema);
    const code = generate(schema);
    if (code !== 0) return code;
    const stale = COMMITTED.filter(
      (file) => !readFileSync(join(ROOT, file)).equals(readFileSync(join(folder, file))),
    );
    for (const file of stale) {
      process.stdout.write(`${file} is stale: run "npm run generate".\n`);
    }
    return stale.length > 0 ? 1 : 0;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

process.exitCode = process.argv.includes('--check')
  ? check()
  : generate(join(DEFAULT_PRISMA_DIR, 'schema.prisma'));
