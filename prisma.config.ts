// Prisma's command line in the root of the repository: `npx prisma studio`, `validate` and `format`. Migrations have commands of their
// own, described in CONTRIBUTING.md, since Prisma would download an engine for them.
import { existsSync } from 'node:fs';
import { findRunningUrl } from '@muster/database/embedded';
import { defineConfig } from 'prisma/config';

if (existsSync('.env')) process.loadEnvFile('.env');
// The commands above need no engine, but Prisma downloads one unless this names a program.
process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= process.execPath;

const { DATA_DIR = '.data', DATABASE_URL } = process.env;
const url = DATABASE_URL || (await findRunningUrl(DATA_DIR));

export default defineConfig({
  schema: 'prisma/schema.prisma',
  ...(url && { datasource: { url } }),
});
