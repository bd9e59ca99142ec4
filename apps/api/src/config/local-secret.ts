// The secrets of a service that nobody configured: random, made once, readable by its owner only.
import { randomBytes } from 'node:crypto';
import { chmod, link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigError } from './config-error.ts';

const MIN_SECRET_BYTES = 32;

export const LOCAL_SECRETS = ['jwt-secret', 'accounts-secret'] as const;

/** Reads the secret of this name in DATA_DIR, or makes it. Of two processes that make it at once, both get the same one. */
export const ensureLocalSecret = async (
  dataDir: string,
  name: (typeof LOCAL_SECRETS)[number] = 'jwt-secret',
): Promise<string> => {
  const file = join(dataDir, name);
  return (await findSecret(file)) ?? createSecret(dataDir, file);
};

const findSecret = async (file: string): Promise<string | null> => {
  const content = await readFile(file, 'utf8').catch(absentIsNull);
  if (content === null) return null;
  const secret = content.trim();
  if (Buffer.byteLength(secret) < MIN_SECRET_BYTES) throw new ConfigError([tooShort(file)]);
  await chmod(file, 0o600);
  return secret;
};

const tooShort = (file: string): string =>
  `DATA_DIR holds a secret of less than ${MIN_SECRET_BYTES} bytes in ${file}: delete the file, and a new one is made.`;

/** A link to a complete file appears at once or not at all, so that no reader sees half a secret. */
const createSecret = async (dataDir: string, file: string): Promise<string> => {
  const secret = randomBytes(48).toString('base64url');
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  await mkdir(dataDir, { recursive: true });
  await writeFile(draft, `${secret}\n`, { mode: 0o600, flag: 'wx' });
  try {
    await link(draft, file);
    return secret;
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
    return (await findSecret(file)) ?? secret;
  } finally {
    await rm(draft, { force: true });
  }
};

const absentIsNull = (error: unknown): null => {
  if (hasCode(error, 'ENOENT')) return null;
  throw error;
};

const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code;
