// Reads an archive member by member, and proves beforehand that all of it is as it was written.

import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { open, stat } from 'node:fs/promises';
import type { Manifest, Summary } from './archive-writer.ts';
import {
  BackupError,
  BLOCK_BYTES,
  countPadding,
  decodeHeader,
  FORMAT,
  MANIFEST,
  MAX_MEMBER_BYTES,
  SECRETS,
  SUMMARY,
  SUMS,
} from './archive-writer.ts';

type Member = { name: string; content: Buffer };

export type VerifiedArchive = {
  path: string;
  manifest: Manifest;
  summary: Summary;
  /** Content of the secrets by name. */
  secrets: ReadonlyMap<string, string>;
  /** SHA-256 of each member, hexadecimal. */
  sums: ReadonlyMap<string, string>;
};

/** Reads all of it once. Throws BackupError where a byte is missing, too many, or another one than was written. */
export async function verifyArchive(path: string): Promise<VerifiedArchive> {
  const sums = new Map<string, string>();
  const secrets = new Map<string, string>();
  const documents = new Map<string, string>();
  for await (const { name, content } of walkMembers(path)) {
    if (documents.has(SUMS)) throw damaged(path, `there is more after ${SUMS}`);
    if (name === SUMS) assertSums(path, sums, content.toString());
    else sums.set(name, digest(content));
    if ([MANIFEST, SUMMARY, SUMS].includes(name)) documents.set(name, content.toString());
    if (name.startsWith(SECRETS)) secrets.set(name.slice(SECRETS.length), content.toString());
  }
  if (!documents.has(SUMS)) throw damaged(path, 'its end is missing');
  const manifest = parseObject<Manifest>(documents.get(MANIFEST));
  const summary = parseObject<Summary>(documents.get(SUMMARY));
  const { format, migrations, tables } = manifest;
  const isOurs = format === FORMAT && Array.isArray(migrations) && Array.isArray(tables);
  if (!isOurs || !summary.rows) throw new BackupError(`${path} is no backup of this service.`);
  return { path, manifest: manifest as Manifest, summary: summary as Summary, secrets, sums };
}

/** Nothing is known of it where the archive is of another program. */
function parseObject<Content>(text = '{}'): Partial<Content> {
  try {
    return { ...JSON.parse(text) };
  } catch {
    return {};
  }
}

/** The members once more. Throws where one has changed since the archive was verified. */
export async function* readVerified({ path, sums }: VerifiedArchive): AsyncGenerator<Member> {
  for await (const member of walkMembers(path)) {
    if (member.name === SUMS) return;
    if (digest(member.content) !== sums.get(member.name)) {
      throw damaged(path, `${member.name} was changed a moment ago`);
    }
    yield member;
  }
}

async function* walkMembers(path: string): AsyncGenerator<Member> {
  const file = await openForReading(path);
  try {
    for (;;) {
      const header = await readExactly(file, BLOCK_BYTES, path);
      if (isZero(header)) break;
      const member = decodeHeader(header);
      if (!member || member.size > MAX_MEMBER_BYTES)
        throw damaged(path, 'a header is not readable');
      const content = await readExactly(file, member.size, path);
      const padding = await readExactly(file, countPadding(member.size), path);
      if (!isZero(padding)) throw damaged(path, `something else follows ${member.name}`);
      yield { name: member.name, content };
    }
    if (!isZero(await readExactly(file, BLOCK_BYTES, path)))
      throw damaged(path, 'its end is wrong');
    const { bytesRead } = await file.read(Buffer.alloc(1), 0, 1);
    if (bytesRead > 0) throw damaged(path, 'it has data after its end');
  } finally {
    await file.close();
  }
}

async function openForReading(path: string): Promise<FileHandle> {
  try {
    if ((await stat(path)).isDirectory()) throw new Error('it is a folder');
    return await open(path, 'r');
  } catch (cause) {
    throw new BackupError(`Cannot read ${path}: ${(cause as Error).message}.`, { cause });
  }
}

async function readExactly(file: FileHandle, length: number, path: string): Promise<Buffer> {
  const content = Buffer.alloc(length);
  for (let filled = 0; filled < length; ) {
    const { bytesRead } = await file.read(content, filled, length - filled);
    if (bytesRead === 0) throw damaged(path, 'its end is missing');
    filled += bytesRead;
  }
  return content;
}

function assertSums(path: string, sums: ReadonlyMap<string, string>, written: string): void {
  const found = new Map(
    written.split('\n').map((line): [string, string] => [line.slice(66), line.slice(0, 64)]),
  );
  for (const [name, sum] of sums) {
    if (found.get(name) !== sum) throw damaged(path, `${name} is not what was written`);
  }
  const expected = [...sums].map(([name, sum]) => `${sum}  ${name}\n`).join('');
  if (written !== expected) throw damaged(path, 'a member is missing');
}

function isZero(block: Buffer): boolean {
  return block.every((byte) => byte === 0);
}

function digest(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}

function damaged(path: string, what: string): BackupError {
  return new BackupError(`${path} is damaged (${what}): nothing was restored from it.`);
}
