import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { TestDatabase } from '../testing/index.ts';
import { createTestDatabase } from '../testing/index.ts';
import { diffMigrationsOn, dropIgnoredSteps } from './diff-migrations.ts';
import { DEFAULT_PRISMA_DIR } from './migrate-database.ts';

let database: TestDatabase;
let prismaDir: string;

beforeEach(async () => {
  prismaDir = await mkdtemp(join(tmpdir(), 'muster-drift-test-'));
  await cp(DEFAULT_PRISMA_DIR, prismaDir, { recursive: true });
  database = await createTestDatabase({ migrated: false });
});

afterEach(async () => {
  await database.drop();
  await rm(prismaDir, { recursive: true, force: true });
});

test('the repository’s migrations and schema.prisma agree', async () => {
  expect(await diffMigrationsOn(database.url, DEFAULT_PRISMA_DIR)).toBe('');
});

test('CHECKs, triggers and partial, expression, covering and GIN indexes written by hand are no drift', async () => {
  await writeMigration(
    '9998_by_hand',
    `ALTER TABLE sandbox ADD CONSTRAINT by_hand_check CHECK (name <> 'forbidden');
     CREATE INDEX by_hand_partial ON sandbox (name) WHERE name <> '';
     CREATE UNIQUE INDEX by_hand_expression ON sandbox (lower(name));
     CREATE INDEX by_hand_covering ON sandbox (name) INCLUDE (created_at);
     CREATE INDEX by_hand_pattern ON sandbox (name text_pattern_ops);
     CREATE INDEX by_hand_gin ON sandbox USING gin (to_tsvector('simple', name));`,
  );
  expect(await diffMigrationsOn(database.url, prismaDir)).toBe('');
});

test('a column or an ordinary index that only one side has is drift, and the SQL names it', async () => {
  const path = join(prismaDir, 'schema.prisma');
  const schema = await readFile(path, 'utf8');
  const changed = schema.replace(/model Sandbox \{/, 'model Sandbox {\n  colour String?\n');
  await writeFile(path, changed);
  await writeMigration('9998_extra', 'CREATE INDEX only_in_sql ON sandbox (name);');
  const script = await diffMigrationsOn(database.url, prismaDir);
  expect(script).toContain('ALTER TABLE "sandbox" ADD COLUMN     "colour" TEXT;');
  expect(script).toContain('DROP INDEX "only_in_sql";');
});

test('without migrations the difference is the whole schema, as PostgreSQL text with its layout kept', async () => {
  await rm(join(prismaDir, 'migrations'), { recursive: true });
  const script = await diffMigrationsOn(database.url, prismaDir);
  expect(script).toMatch(/^ {4}CONSTRAINT "sandbox_pkey" PRIMARY KEY/m);
});

test('only the dropping of indexes that were written by hand is left out', () => {
  const script = '-- DropIndex\nDROP INDEX "mine";\n\n-- DropIndex\nDROP INDEX "theirs";\n';
  expect(dropIgnoredSteps(script, new Set(['mine']))).toBe('-- DropIndex\nDROP INDEX "theirs";\n');
});

async function writeMigration(name: string, sql: string): Promise<void> {
  const folder = join(prismaDir, 'migrations', name);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'migration.sql'), sql);
}
