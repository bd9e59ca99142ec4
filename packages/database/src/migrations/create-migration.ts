// `npm run migration -- --name add_x`: writes the next migration from the difference to schema.prisma.
// The file is a draft: add CHECKs, partial indexes and their reasons by hand before it is committed.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { diffMigrations } from './diff-migrations.ts';
import { DEFAULT_PRISMA_DIR, listMigrationNames } from './migration-files.ts';

const options = { name: { type: 'string' }, 'prisma-dir': { type: 'string' } } as const;
const { values } = parseArgs({ options });
const prismaDir = values['prisma-dir'] ?? DEFAULT_PRISMA_DIR;

if (!values.name || !/^[a-z0-9_]+$/.test(values.name)) {
  process.stderr.write(
    'Name the migration in lower case: npm run migration -- --name add_something\n',
  );
  process.exitCode = 2;
} else {
  await createMigration(values.name);
}

async function createMigration(name: string): Promise<void> {
  const script = await diffMigrations(prismaDir);
  if (script === '') {
    process.stdout.write('schema.prisma and the migrations agree: nothing to write.\n');
    return;
  }
  const number = String((await listMigrationNames(prismaDir)).length + 1).padStart(4, '0');
  const folder = join(prismaDir, 'migrations', `${number}_${name}`);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'migration.sql'), script, { flag: 'wx' });
  process.stdout.write(`Wrote ${join(folder, 'migration.sql')}\n`);
}
