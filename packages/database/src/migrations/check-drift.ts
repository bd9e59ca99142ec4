// Exits with 1 and the missing SQL when schema.prisma and the migrations disagree.
import { parseArgs } from 'node:util';
import { diffMigrations } from './diff-migrations.ts';
import { DEFAULT_PRISMA_DIR } from './migration-files.ts';

const { values } = parseArgs({ options: { 'prisma-dir': { type: 'string' } } });
const script = await diffMigrations(values['prisma-dir'] ?? DEFAULT_PRISMA_DIR);
if (script !== '') {
  process.stderr.write(
    'schema.prisma and the migrations disagree. Missing from the migrations:\n\n',
  );
  process.stderr.write(`${script}\n`);
  process.stderr.write('Write it with: npm run migration -- --name describe_the_change\n');
  process.exitCode = 1;
}
