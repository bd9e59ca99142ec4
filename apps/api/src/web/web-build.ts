// Reads the built web app into memory, all of it at once: a newer build must not mix with an older page.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

export type WebBuild = {
  html: string;
  /** By file name, as it stands in `/assets/<name>`. */
  assets: ReadonlyMap<string, Buffer>;
};

/** Null when there is no build in the folder. */
export const readWebBuild = async (folder: string): Promise<WebBuild | null> => {
  const html = await readFile(join(folder, 'index.html'), 'utf8').catch(isMissing);
  if (html === null) return null;
  const names = (await readdir(join(folder, 'assets')).catch(isMissing)) ?? [];
  const read = async (name: string): Promise<[string, Buffer]> => [
    name,
    await readFile(join(folder, 'assets', name)),
  ];
  return { html, assets: new Map(await Promise.all(names.map(read))) };
};

const isMissing = (error: NodeJS.ErrnoException): null => {
  if (error.code === 'ENOENT') return null;
  throw error;
};
