import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { findBinaries } from './programs.ts';
import { describeEmbeddedRelease, EMBEDDED_RELEASE } from './release.ts';

test('names the release that the installed package has, whose date must follow it', async () => {
  const { postgres } = await findBinaries();
  const manifest = join(dirname(postgres), '../../package.json');
  const { version } = JSON.parse(await readFile(manifest, 'utf8')) as { version: string };
  expect(version).toMatch(new RegExp(`^${EMBEDDED_RELEASE.version}\\.`));
});

test.each([
  ['2026-05-20', 'this month'],
  ['2026-06-20', 'last month'],
  ['2026-11-28', '6 months ago'],
])('on %s it was released %s', (today, age) => {
  const text = `PostgreSQL 18.4, released in May 2026 (${age})`;
  expect(describeEmbeddedRelease(new Date(today))).toBe(text);
});
