import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

const GUIDE = join(import.meta.dirname, '../../../docs/guides/pgbouncer.md');

/** The lines of the section `[pgbouncer]` in the guide, by name. */
export const readDocumentedSettings = async (): Promise<Record<string, string>> => {
  const [, lines = ''] = /\[pgbouncer\]\n(.*?)```/s.exec(await readFile(GUIDE, 'utf8')) ?? [];
  const settings = lines.matchAll(/^(\w+) = (.+)$/gm);
  return Object.fromEntries(Array.from(settings, ([, name = '', value = '']) => [name, value]));
};
