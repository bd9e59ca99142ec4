// Finds and reads the JSON files of a folder, whatever else is in it.
import type { Dirent } from 'node:fs';
import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';

export const isFolder = (path: string): boolean => statSync(path).isDirectory();

/** In the order of their names, so that reports are stable. Dependencies are not the consumer's pacts. */
export const listJsonFiles = (folder: string, around: readonly string[] = []): string[] => {
  const real = realpathSync(folder);
  // A link to a folder around it would lead in a circle.
  if (around.includes(real)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (isFolderEntry(entry, path)) {
        return entry.name === 'node_modules' ? [] : listJsonFiles(path, [...around, real]);
      }
      return entry.name.endsWith('.json') ? [path] : [];
    });
};

/** Links are followed: consumers of a monorepo link their pacts together. One that leads nowhere is no folder. */
const isFolderEntry = (entry: Dirent, path: string): boolean =>
  entry.isDirectory() ||
  (entry.isSymbolicLink() && statSync(path, { throwIfNoEntry: false })?.isDirectory() === true);

/** Throws for what is no regular file: reading a pipe would wait for ever. RFC 8259 asks for UTF-8. */
export const readText = (path: string): string => {
  if (!statSync(path).isFile()) throw new Error('it is not a file');
  return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path));
};

const REASONS: Record<string, string> = {
  ENOENT: 'There is no such file or folder.',
  EACCES: 'The file may not be read.',
  ELOOP: 'The link leads in a circle.',
  ERR_ENCODING_INVALID_ENCODED_DATA: 'The file is not valid JSON: it is not in UTF-8.',
};

/** Why a file could not be read, in a sentence. */
export const explain = (error: unknown): string => {
  if (!(error instanceof Error)) throw error;
  const code = 'code' in error ? String(error.code) : '';
  return REASONS[code] ?? `The file could not be read: ${error.message}.`;
};
