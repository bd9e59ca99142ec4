import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ConfigError } from './errors.ts';
import { ensureLocalSecret } from './secrets.ts';

describe('ensureLocalSecret', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'muster-secret-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('makes a secret that only its owner can read, and keeps it', async () => {
    const dataDir = join(folder, 'new', 'data');
    const secret = await ensureLocalSecret(dataDir);
    expect(Buffer.byteLength(secret)).toBeGreaterThanOrEqual(32);
    expect(secret, 'can be passed to a command as it is').toMatch(/^[0-9a-f]+$/);
    expect((await stat(join(dataDir, 'jwt-secret'))).mode & 0o777).toBe(0o600);
    expect(await ensureLocalSecret(dataDir)).toBe(secret);
  });

  it('makes a folder that other users cannot look into', async () => {
    const dataDir = join(folder, 'new');
    await ensureLocalSecret(dataDir);
    // Root's PostgreSQL runs as another user, who has to pass through.
    const mode = process.getuid?.() === 0 ? 0o711 : 0o700;
    expect((await stat(dataDir)).mode & 0o777).toBe(mode);
  });

  it('gives processes that start at once the same secret and leaves one file', async () => {
    const secrets = await Promise.all(Array.from({ length: 20 }, () => ensureLocalSecret(folder)));
    expect(new Set(secrets).size).toBe(1);
    expect(await readdir(folder)).toEqual(['jwt-secret']);
  });

  it('closes a file that others could read', async () => {
    const file = join(folder, 'jwt-secret');
    await writeFile(file, 'x'.repeat(40), { mode: 0o644 });
    await ensureLocalSecret(folder);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  it('refuses a damaged secret by name of the file', async () => {
    await writeFile(join(folder, 'jwt-secret'), 'short');
    await expect(ensureLocalSecret(folder)).rejects.toThrow(ConfigError);
  });
});
