// Writes an archive that is there as a whole, or not at all.
import { createHash, randomBytes } from 'node:crypto';
import { link, open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { flushFolder } from '../embedded/data-folder.ts';

export type ArchiveWriter = {
  append(name: string, content: Buffer | string): Promise<void>;
  /** Adds the digests and gives the archive its name. Throws when a file with that name exists by then. */
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
  await flushFolder(dirname(path));
}

function taken(path: string): BackupError {
  return new BackupError(`${path} exists already: choose another name, or move it away.`);
}

function unwritable(path: string, cause: Error): BackupError {
  return new BackupError(`Cannot write ${path}: ${cause.message}.`, { cause });
}

// What a backup holds, in this order:
//
//   manifest.json                      what it is, and of which schema
//   secrets/<name>                     the secrets that the service made in its data folder
//   data/<table>/<number>.copy.gz      whole rows of one table in PostgreSQL's text format for COPY, in gzip
//   summary.json                       how many rows each table has
//   SHA256SUMS                         the digest of every member before it, as `sha256sum -c` reads it
//
// It is an ordinary tar archive: `tar -xf` opens it, and every piece can be read alone.

export const FORMAT = 'muster-backup-1';

export const MANIFEST = 'manifest.json';
export const SUMMARY = 'summary.json';
export const SUMS = 'SHA256SUMS';
export const SECRETS = 'secrets/';

/** SHA-256 of the script, hexadecimal, as `_prisma_migrations` keeps it. */
export type AppliedMigration = { name: string; checksum: string };

/** `columns` in the order in which the rows give them. */
export type TableShape = { name: string; columns: string[] };

export type Manifest = {
  format: typeof FORMAT;
  /** RFC 3339: when the snapshot was taken. */
  taken_at: string;
  postgresql: string;
  migrations: AppliedMigration[];
  tables: TableShape[];
};

export type Summary = { rows: Record<string, number> };

/** Pieces of this many bytes, before they are compressed, and one row more. Bounds the memory of both directions. */
export const PIECE_BYTES = 8 * 1024 * 1024;
/** No piece is larger: a row of PostgreSQL in this schema has less than 10 MB. */
export const MAX_MEMBER_BYTES = 256 * 1024 * 1024;

export function nameOfPiece(table: string, number: number): string {
  return `data/${table}/${String(number).padStart(6, '0')}.copy.gz`;
}

/** The table of a piece; null for any other member. */
export function tableOfPiece(name: string): string | null {
  return /^data\/([^/]+)\/\d{6,}\.copy\.gz$/.exec(name)?.[1] ?? null;
}

// The 512 bytes before each member of a tar archive, in the ustar form of POSIX.1-1988 that every tar program reads.
// Source: POSIX.1-2024, pax, "ustar Interchange Format".

export const BLOCK_BYTES = 512;

type TarMember = { name: string; size: number; modifiedAt: Date };

const CHECKSUM = { from: 148, to: 156 };

/** Members are regular files that only their owner may read. */
function encodeHeader({ name, size, modifiedAt }: TarMember): Buffer {
  const block = Buffer.alloc(BLOCK_BYTES);
  if (Buffer.byteLength(name) > 100) throw new BackupError(`The name ${name} is too long.`);
  block.write(name, 0);
  block.write(octal(0o600, 7), 100);
  block.write(octal(0, 7), 108);
  block.write(octal(0, 7), 116);
  block.write(octal(size, 11), 124);
  block.write(octal(Math.floor(modifiedAt.getTime() / 1000), 11), 136);
  block.write('0', 156);
  block.write('ustar\0', 257);
  block.write('00', 263);
  block.write(`${octal(sumOf(block), 6)}\0 `, CHECKSUM.from);
  return block;
}

/** Null where the block is not exactly what `encodeHeader` makes. */
export function decodeHeader(block: Buffer): TarMember | null {
  const member = {
    name: block.toString('utf8', 0, 100).replace(/\0.*$/s, ''),
    size: Number.parseInt(block.toString('latin1', 124, 135), 8),
    modifiedAt: new Date(Number.parseInt(block.toString('latin1', 136, 147), 8) * 1000),
  };
  const isWhole = member.size >= 0 && Buffer.byteLength(member.name) <= 100;
  return isWhole && encodeHeader(member).equals(block) ? member : null;
}

/** How many zeros follow a member, so that the next header begins at a block. */
export function countPadding(size: number): number {
  return (BLOCK_BYTES - (size % BLOCK_BYTES)) % BLOCK_BYTES;
}

function octal(value: number, digits: number): string {
  return value.toString(8).padStart(digits, '0');
}

/** The sum of all bytes, those of the checksum itself counted as spaces. */
function sumOf(block: Buffer): number {
  const sum = block.reduce((total, byte) => total + byte, 0);
  const own = block.subarray(CHECKSUM.from, CHECKSUM.to).reduce((total, byte) => total + byte, 0);
  return sum - own + (CHECKSUM.to - CHECKSUM.from) * 0x20;
}

/** A backup or a restore cannot be made; the message is one sentence for people. */
export class BackupError extends Error {
  override name = 'BackupError';
}
