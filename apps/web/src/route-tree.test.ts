// The committed route tree equals the generator's output for src/routes.
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Generator, getConfig } from '@tanstack/router-generator';
import { afterAll, expect, test } from 'vitest';

const WEB = fileURLToPath(new URL('..', import.meta.url));
const TREE = 'src/generated/route-tree.ts';

// The generator also rewrites route files, so it runs on a copy.
const copy = mkdtempSync(join(tmpdir(), 'muster-route-tree-'));
afterAll(() => rmSync(copy, { recursive: true }));

test('the committed route tree is current', async () => {
  cpSync(join(WEB, 'tsr.config.json'), join(copy, 'tsr.config.json'));
  cpSync(join(WEB, 'src/routes'), join(copy, 'src/routes'), { recursive: true });
  const config = getConfig({ tmpDir: join(copy, 'tmp') }, copy);
  await new Generator({ config, root: copy }).run();
  const generated = readFileSync(join(copy, TREE), 'utf8');
  expect(generated).toBe(readFileSync(join(WEB, TREE), 'utf8'));
});
