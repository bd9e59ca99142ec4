// The command line of the token program: what is wanted, or what is wrong with how it was asked for.
import { parseArgs } from 'node:util';
import { Platform } from '@muster/contract';
import { parseTtl } from './parse-ttl.ts';
import type { TokenClaims } from './sign-token.ts';

export type TokenCommand = { claims: TokenClaims; ttlSeconds: number };

/** How the program is meant to be called. Exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';

  constructor(problem: string) {
    super(`${problem}\n\n${TOKEN_USAGE}`);
  }
}

export const TOKEN_USAGE = `usage: npm run -s token -- --sub ID --permissions A,B [options]

  --sub ID            the player UUID, or the id of an account
  --permissions A,B   such as session:update-player:self,sandbox:config:view
  --ttl TIME          how long it is good: 30s, 15m, 1h, 7d (default 1h)
  --platform NAME     the platform that the player is on, such as PSN
  --help              print this`;

export const parseTokenCommand = (args: string[]): TokenCommand => {
  const { sub, permissions, ttl, platform } = parseOptions(args);
  if (!sub) throw new UsageError('--sub is required: the player UUID, or the id of the account.');
  if (permissions === undefined) {
    throw new UsageError('--permissions is required: a list with commas, such as session:*.');
  }
  const ttlSeconds = parseTtl(ttl);
  if (ttlSeconds === null) throw new UsageError(`--ttl ${ttl} is no time.`);
  if (platform !== undefined && !Platform.safeParse(platform).success) {
    throw new UsageError(`--platform ${platform} is none of ${Platform.options.join(', ')}.`);
  }
  const names = permissions.split(',').map((name) => name.trim());
  return {
    claims: { sub, permissions: names.filter(Boolean), ...(platform && { platform }) },
    ttlSeconds,
  };
};

const parseOptions = (args: string[]) => {
  try {
    return parseArgs({
      args,
      options: {
        sub: { type: 'string' },
        permissions: { type: 'string' },
        ttl: { type: 'string', default: '1h' },
        platform: { type: 'string' },
      },
    }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
};
