// Signs a token that the local service accepts.
import { Platform } from '@muster/contract';
import { getSigningKeys, signToken } from '../auth/index.ts';
import { ConfigError, loadConfig } from '../platform/index.ts';
import { UsageError } from './usage-error.ts';

export type TokenOptions = { sub?: string; permissions?: string; ttl: string; platform?: string };

/** Throws UsageError, and ConfigError where only the issuer can sign. */
export const createToken = async (options: TokenOptions): Promise<string> => {
  const { sub, permissions, ttl, platform } = options;
  if (!sub) throw new UsageError('--sub is required: the player UUID, or the id of the account');
  if (permissions === undefined) {
    throw new UsageError('--permissions is required: a list with commas, such as session:*');
  }
  const ttlSeconds = parseTtl(ttl);
  if (ttlSeconds === null) throw new UsageError(`--ttl ${ttl} is no time`);
  if (platform !== undefined && !Platform.safeParse(platform).success) {
    throw new UsageError(`--platform ${platform} is none of ${Platform.options.join(', ')}`);
  }
  const config = loadConfig(process.env);
  const keys = await getSigningKeys(config);
  if (keys.kind === 'jwks') {
    throw new ConfigError(['AUTH_JWKS_URL is set: only its issuer can sign tokens.']);
  }
  const names = permissions.split(',').map((name) => name.trim());
  const claims = { sub, permissions: names.filter(Boolean), ...(platform && { platform }) };
  const { keys: _, ...rules } = config.auth;
  return signToken(claims, { ...rules, ...keys, ttlSeconds });
};

const SECONDS: Record<string, number> = { s: 1, m: 60, h: 3_600, d: 86_400 };

/** Seconds of a time such as 30s, 15m, 1h or 7d; null for anything else, zero too. */
const parseTtl = (text: string): number | null => {
  const [, amount, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  const seconds = Number(amount) * (SECONDS[unit ?? ''] ?? Number.NaN);
  return seconds > 0 ? seconds : null;
};
