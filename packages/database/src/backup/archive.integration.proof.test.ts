import { execFile } from 'node:child_process';
import {
  copyFile,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { IS_FULL_SIZE } from '../testing/test-size.ts';
import { verifyArchive } from './archive-reader.ts';
import { BackupError, createArchive, FORMAT, MANIFEST, SUMMARY } from './archive-writer.ts';

let folder: string;
let path: string;
const MADE_AT = new Date('2026-01-02T03:04:05Z');
const MANIFEST_TEXT = JSON.stringify({ format: FORMAT, migrations: [], tables: [] });

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'muster-archive-'));
  path = join(folder, 'a.tar');
});
afterEach(() => rm(folder, { recursive: true }));

const writeSmallArchive = async () => {
  const archive = await createArchive(path, MADE_AT);
  await archive.append(MANIFEST, MANIFEST_TEXT);
  await archive.append('secrets/jwt-secret', 'a secret\n');
  await archive.append('data/player/000001.copy.gz', Buffer.alloc(700, 7));
  await archive.append(SUMMARY, '{"rows":{"player":1}}');
  return archive.finish();
};

test('an archive is read as it was written, and only its owner may read it', async () => {
  const { bytes } = await writeSmallArchive();
  const { manifest, summary, secrets } = await verifyArchive(path);
  expect(manifest.format).toBe(FORMAT);
  expect(summary.rows).toEqual({ player: 1 });
  expect([...secrets]).toEqual([['jwt-secret', 'a secret\n']]);
  const { mode, size } = await stat(path);
  expect([mode & 0o777, size]).toEqual([0o600, bytes]);
});

test('an ordinary tar opens it, and sha256sum finds it whole', async () => {
  await writeSmallArchive();
  const run = promisify(execFile);
  await run('tar', ['-xf', path], { cwd: folder });
  await run('sha256sum', ['-c', 'SHA256SUMS'], { cwd: folder });
  expect(await readFile(join(folder, MANIFEST), 'utf8')).toBe(MANIFEST_TEXT);
});

test('an archive in which any byte is another one is refused', async () => {
  await writeSmallArchive();
  const whole = await readFile(path);
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: whole.length - 1 }),
      fc.integer({ min: 1, max: 255 }),
      async (at, change) => {
        const altered = Buffer.from(whole);
        altered[at] = (altered[at] ?? 0) ^ change;
        await writeFile(path, altered);
        await expect(verifyArchive(path)).rejects.toThrow(BackupError);
      },
    ),
    { numRuns: IS_FULL_SIZE ? 1_000 : 100 },
  );
});

test('rejects an archive that was cut off, or that has data after its end', async () => {
  const { bytes } = await writeSmallArchive();
  for (let length = 0; length < bytes; length += 256) {
    const cut = join(folder, 'cut.tar');
    await copyFile(path, cut);
    await truncate(cut, length);
    await expect(verifyArchive(cut)).rejects.toThrow(BackupError);
  }
  await writeFile(path, Buffer.concat([await readFile(path), Buffer.alloc(1)]));
  await expect(verifyArchive(path)).rejects.toThrow('it has data after its end');
});

test('an archive of which a member was taken out is refused', async () => {
  await writeSmallArchive();
  const whole = await readFile(path);
  const second = 1_024;
  const altered = Buffer.concat([whole.subarray(0, second), whole.subarray(second + 1_024)]);
  await writeFile(path, altered);
  await expect(verifyArchive(path)).rejects.toThrow('a member is missing');
});

test('never overwrites an older archive, even one that appears during the backup', async () => {
  const archive = await createArchive(path, MADE_AT);
  await writeFile(path, 'an older one');
  await expect(archive.finish()).rejects.toThrow('exists already');
  await archive.discard();
  await expect(createArchive(path, MADE_AT)).rejects.toThrow('exists already');
  expect(await readFile(path, 'utf8')).toBe('an older one');
  expect(await readdir(folder)).toEqual(['a.tar']);
});

test('an archive that is given up leaves nothing behind', async () => {
  const archive = await createArchive(path, MADE_AT);
  await archive.append(MANIFEST, MANIFEST_TEXT);
  await archive.discard();
  expect(await readdir(folder)).toEqual([]);
});

test.each([
  ['no JSON', 'no JSON', '{"rows":{}}'],
  ['null', 'null', '{"rows":{}}'],
  ['a manifest without tables', JSON.stringify({ format: FORMAT }), '{"rows":{}}'],
  ['a summary without rows', MANIFEST_TEXT, '{}'],
])('an archive of another program is refused in a sentence: %s', async (_, manifest, summary) => {
  const archive = await createArchive(path, MADE_AT);
  await archive.append(MANIFEST, manifest);
  await archive.append(SUMMARY, summary);
  await archive.finish();
  await expect(verifyArchive(path)).rejects.toThrow(BackupError);
});

test('a folder is no archive, and a place that cannot be written is named', async () => {
  await expect(verifyArchive(folder)).rejects.toThrow(BackupError);
  const elsewhere = join(folder, 'nowhere', 'a.tar');
  await expect(createArchive(elsewhere, MADE_AT)).rejects.toThrow(`Cannot write ${elsewhere}`);
});
