// Writes an archive that is there as a whole, or not at all.
import { createHash, randomBytes } from 'node:crypto';
import { link, open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { MAX_MEMBER_BYTES, SUMS } from './archive-format.ts';
import { BackupError } from './backup-error.ts';
import { BLOCK_BYTES, countPadding, encodeHeader } from './tar-header.ts';

export type ArchiveWriter = {
  append(name: string, content: Buffer | string): Promise<void>;
  /** Adds the digests and gives the archive its name. Throws where that name was taken meanwhile. */
  finish(): Promise<WrittenArchive>;
  /** Leaves nothing behind. */
  discard(): Promise<void>;
};

export type WrittenArchive = { bytes: number; sha256: string };

/** Throws BackupError where the file exists: an older backup is never overwritten. */
export async function createArchive(path: string, madeAt: Date): Promise<ArchiveWriter> {
  if (await stat(path).catch(() => null)) throw taken(path);
  const draft = `${path}.partial-${randomBytes(4).toString('hex')}`;
  const file = await open(draft, 'wx', 0o600).catch((cause: Error) => {
    throw unwritable(path, cause);
  });
  const whole = createHash('sha256');
  const sums: string[] = [];
  let bytes = 0;

  const write = async (part: Buffer): Promise<void> => {
    whole.update(part);
    bytes += part.length;
    await file.writeFile(part).catch((cause: Error) => {
      throw unwritable(path, cause);
    });
  };
  const append = async (name: string, given: Buffer | string): Promise<void> => {
    const content = typeof given === 'string' ? Buffer.from(given) : given;
    if (content.length > MAX_MEMBER_BYTES) throw new BackupError(`${name} is too large.`);
    sums.push(`${createHash('sha256').update(content).digest('hex')}  ${name}\n`);
    await write(encodeHeader({ name, size: content.length, modifiedAt: madeAt }));
    await write(content);
    await write(Buffer.alloc(countPadding(content.length)));
  };

  return {
    append,
    finish: async () => {
      await append(SUMS, sums.join(''));
      await write(Buffer.alloc(2 * BLOCK_BYTES));
      await file.sync();
      await file.close();
      await publish(draft, path);
      return { bytes, sha256: whole.digest('hex') };
    },
    discard: async () => {
      await file.close().catch(() => {});
      await rm(draft, { force: true });
    },
  };
}

/** A link fails where the name is taken, which a rename would overwrite. Some file systems have no links. */
async function publish(draft: string, path: string): Promise<void> {
  try {
    await link(draft, path);
    await rm(draft);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw taken(path);
    await rename(draft, path);
  }
  const folder = await open(dirname(path), 'r');
  await folder.sync().catch(() => {});
  await folder.close();
}

function taken(path: string): BackupError {
  return new BackupError(`${path} exists already: choose another name, or move it away.`);
}

function unwritable(path: string, cause: Error): BackupError {
  return new BackupError(`Cannot write ${path}: ${cause.message}.`, { cause });
}
