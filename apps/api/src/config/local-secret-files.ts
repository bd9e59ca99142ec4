// The local secrets as files, for backups: with another one, people are signed out and their second factors are void.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigError } from './config-error.ts';
import { LOCAL_SECRETS } from './local-secret.ts';

/** The content of those that are there, by name. */
export const readLocalSecrets = async (dataDir: string): Promise<Map<string, string>> => {
  const found = await Promise.all(
    LOCAL_SECRETS.map(async (name) => [name, await readIfPresent(join(dataDir, name))] as const),
  );
  return new Map(found.flatMap(([name, content]) => (content === null ? [] : [[name, content]])));
};

/** Throws ConfigError where another secret than one of these is there already. */
export const assertSecretsFit = async (
  dataDir: string,
  secrets: ReadonlyMap<string, string>,
): Promise<void> => {
  for (const [name, present] of await readLocalSecrets(dataDir)) {
    if ((secrets.get(name) ?? present) === present) continue;
    const file = join(dataDir, name);
    throw new ConfigError([`${file} is another secret than the backup's: move it away first.`]);
  }
};

/** Readable by their owner only. Those that are there stay. */
export const writeLocalSecrets = async (
  dataDir: string,
  secrets: ReadonlyMap<string, string>,
): Promise<void> => {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  await assertSecretsFit(dataDir, secrets);
  const present = await readLocalSecrets(dataDir);
  for (const name of LOCAL_SECRETS.filter((known) => !present.has(known))) {
    const content = secrets.get(name);
    const file = join(dataDir, name);
    if (content !== undefined) await writeFile(file, content, { mode: 0o600, flag: 'wx' });
  }
};

const readIfPresent = async (file: string): Promise<string | null> => {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
};
