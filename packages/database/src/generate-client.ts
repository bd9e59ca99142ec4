// `npm run generate`: writes the Prisma client into src/generated, without network and without telemetry.
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { DEFAULT_PRISMA_DIR } from './migrations/migrate-database.ts';

const prisma = dirname(createRequire(import.meta.url).resolve('prisma/package.json'));
const schema = join(DEFAULT_PRISMA_DIR, 'schema.prisma');
const runtimeArguments = 'Deno' in globalThis ? ['run', '--allow-all', '--quiet'] : [];
const { status } = spawnSync(
  process.execPath,
  [
    ...runtimeArguments,
    join(prisma, 'build', 'index.js'),
    'generate',
    '--schema',
    schema,
    '--no-hints',
  ],
  {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      CHECKPOINT_DISABLE: '1',
      PRISMA_HIDE_UPDATE_MESSAGE: '1',
      // Generating needs no schema engine, but the command line downloads one unless it is told where one is.
      PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
    },
  },
);
process.exitCode = status ?? 1;
