// Signs a token that the local service accepts.
import { join } from 'node:path';
import { PERMISSIONS, Platform, permitsSomewhere, Uuid } from '@muster/contract';
import { getSigningKeys, signToken } from '../auth/index.ts';
import type { Config } from '../platform/index.ts';
import { ConfigError, loadConfig } from '../platform/index.ts';
import { UsageError } from './usage-error.ts';
import { toBaseUrl } from './welcome.ts';

type TokenOptions = { sub?: string; permissions?: string; ttl: string; platform?: string };

/** Prints the token, and on standard error its service. Throws UsageError, and ConfigError when only the issuer can sign. */
export const printToken = async (options: TokenOptions): Promise<void> => {
  const config = loadConfig(process.env);
  const token = await createToken(options, config);
  process.stdout.write(`${token}\n`);
  process.stderr.write(`${describeService(config)}\n`);
};

/** An invalid signature usually means that the token was made with another folder than the service's. */
const describeService = ({ auth, dataDir, accounts, host, port }: Config): string => {
  const isMade = auth.keys.kind === 'local';
  const url = accounts.publicUrl?.origin ?? (port === 0 ? null : toBaseUrl(host, port));
  const secret = isMade ? `the secret in ${join(dataDir, 'jwt-secret')}` : 'AUTH_JWT_SECRET';
  const settings = isMade ? 'in its folder or with its DATA_DIR' : 'with its AUTH_JWT_SECRET';
  return `For the service${url ? ` at ${url}` : ''}, signed with ${secret}. If the response is auth_token_sig_invalid, the service has another secret: run this ${settings}.`;
};

/** Throws like `printToken`. */
export const createToken = async (options: TokenOptions, config: Config): Promise<string> => {
  const { sub, permissions, ttl, platform } = options;
  if (!sub) throw new UsageError('--sub is required: the player UUID, or the id of the account');
  if (permissions === undefined) {
    throw new UsageError('--permissions is required: a list with commas, such as session:*');
  }
  const names = permissions.split(',').map((name) => name.trim());
  const unknown = names.filter((name) => !isKnown(name));
  if (unknown.length > 0) {
    throw new UsageError(
      `--permissions names ${unknown.map((name) => `"${name}"`).join(', ')}: choose from *, ${PERMISSIONS.join(', ')}, or narrow one to a sandbox by its UUID, such as sandbox:<sandbox_id>:config:view`,
    );
  }
  const ttlSeconds = parseTtl(ttl);
  if (ttlSeconds === null) {
    throw new UsageError(`--ttl ${ttl} is not a time from 1s to 365d, such as 30s, 15m, 1h or 7d`);
  }
  if (platform !== undefined && !Platform.safeParse(platform).success) {
    throw new UsageError(`--platform ${platform} is not one of ${Platform.options.join(', ')}`);
  }
  const keys = await getSigningKeys(config);
  if (keys.kind === 'jwks') {
    throw new ConfigError(['AUTH_JWKS_URL is set: only its issuer can sign tokens.']);
  }
  const claims = { sub, permissions: names, ...(platform && { platform }) };
  const { keys: _, ...rules } = config.auth;
  return signToken(claims, { ...rules, ...keys, ttlSeconds });
};

/** A grant that is narrowed to an invalid UUID would permit nothing. */
const isKnown = (permission: string): boolean => {
  const [, sandboxId] = /^sandbox:(?!config:)([^:]+):(?:config:|\*)/.exec(permission) ?? [];
  const isNarrowedWrongly = sandboxId !== undefined && !Uuid.safeParse(sandboxId).success;
  return !isNarrowedWrongly && permitsSomewhere([permission], PERMISSIONS);
};

const SECONDS: Record<string, number> = { s: 1, m: 60, h: 3_600, d: 86_400 };

const MAX_SECONDS = 365 * 86_400;

/** Seconds of a time such as 30s, 15m, 1h or 7d; null for anything else, including zero and more than a year. */
const parseTtl = (text: string): number | null => {
  const [, amount, unit] = /^(\d{1,8})([smhd])$/.exec(text) ?? [];
  const seconds = Number(amount) * (SECONDS[unit ?? ''] ?? Number.NaN);
  return seconds > 0 && seconds <= MAX_SECONDS ? seconds : null;
};
