import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../../..');
const PRISMA = join(ROOT, 'node_modules/prisma/build/index.js');

test.each([
  ['validate', ['validate']],
  ['format', ['format', '--check']],
])('prisma %s accepts the model from the root, without downloading an engine', async (_, args) => {
  const home = await mkdtemp(join(tmpdir(), 'muster-prisma-'));
  const { PRISMA_SCHEMA_ENGINE_BINARY: _given, ...env } = process.env;
  // An unreachable mirror: a download would fail.
  const offline = {
    HOME: home,
    PRISMA_ENGINES_MIRROR: 'http://127.0.0.1:9',
    CHECKPOINT_DISABLE: '1',
  };
  const program = promisify(execFile)(process.execPath, [PRISMA, ...args], {
    cwd: ROOT,
    env: { ...env, ...offline },
  });
  await expect(program).resolves.toBeDefined();
  await rm(home, { recursive: true });
});
