import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Writes a file that only its owner can read, and returns its path. */
export const writePrivately = async (
  folder: string,
  name: string,
  content: string,
): Promise<string> => {
  const file = join(folder, name);
  await mkdir(folder, { recursive: true });
  await writeFile(file, `${content}\n`, { mode: 0o600 });
  await chmod(file, 0o600);
  return file;
};
