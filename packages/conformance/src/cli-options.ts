// The command line: flags, then environment; every mistake is named.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { TargetSettings } from './target/context.ts';

export const USAGE = `usage: npm run conformance -- --base-url URL [options]

  --base-url URL          the service under test
  --token TOKEN           a token with all permissions
  --secret SECRET         the HS256 secret; default: AUTH_JWT_SECRET, else the file DATA_DIR/jwt-secret
  --issuer, --audience    what tokens must carry, when the service checks it
  --history-access MODE   authenticated (default) or public: how the service was started
  --cors-origin ORIGIN    one of the CORS_ORIGINS that the service was started with
  --section TEXT          only sections whose name contains the text
  --list                  print the cases and stop
  --json FILE             write the results as JSON too
  --concurrency N         cases side by side, 1..64 (default 8)
  --keep                  leave what the run has made
  --help                  print this`;

/** A mistake in the command line or in the environment. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

type CliOptions = {
  /** Absent with `--list`, which needs no service. */
  target?: TargetSettings & {
    /** In words, where the token or the secret that signs tokens is from. */
    credential: string;
  };
  list: boolean;
  section: string;
  jsonFile?: string;
  concurrency: number;
  /** Leaves what the run has made. */
  keep: boolean;
};

type Environment = Readonly<Record<string, string | undefined>>;

const FLAGS = {
  'base-url': { type: 'string' },
  token: { type: 'string' },
  secret: { type: 'string' },
  issuer: { type: 'string' },
  audience: { type: 'string' },
  'history-access': { type: 'string', default: 'authenticated' },
  'cors-origin': { type: 'string' },
  section: { type: 'string', default: '' },
  list: { type: 'boolean', default: false },
  json: { type: 'string' },
  concurrency: { type: 'string', default: '8' },
  keep: { type: 'boolean', default: false },
} as const;

const parseFlags = (args: readonly string[]) => {
  try {
    return parseArgs({ args: [...args], options: FLAGS, strict: true }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
};
type Flags = ReturnType<typeof parseFlags>;

/** Throws UsageError with a sentence that names the flag. */
export const readOptions = (args: readonly string[], environment: Environment): CliOptions => {
  const flags = parseFlags(args);
  const concurrency = Number(flags.concurrency);
  if (!Number.isInteger(concurrency) || concurrency < 1 || concurrency > 64) {
    throw new UsageError('--concurrency must be an integer from 1 to 64');
  }
  const { list, section, json, keep } = flags;
  const common = {
    list,
    section,
    concurrency,
    keep,
    ...(json !== undefined && { jsonFile: json }),
  };
  return list ? common : { ...common, target: readTarget(flags, environment) };
};

const readTarget = (flags: Flags, environment: Environment): Required<CliOptions>['target'] => {
  const { token, issuer, audience } = flags;
  const { 'history-access': historyAccess, 'cors-origin': corsOrigin } = flags;
  if (historyAccess !== 'authenticated' && historyAccess !== 'public') {
    throw new UsageError('--history-access must be authenticated or public');
  }
  const found =
    token === undefined && flags.secret === undefined ? findSecret(environment) : undefined;
  const secret = flags.secret ?? found?.secret;
  if (token === undefined && secret === undefined) {
    throw new UsageError(
      `Give --token or --secret (or AUTH_JWT_SECRET, or DATA_DIR): there is no ${secretFile(environment)}`,
    );
  }
  return {
    credential: found?.source ?? (token === undefined ? '--secret' : '--token'),
    baseUrl: readBaseUrl(flags['base-url']),
    historyAccess,
    ...(token !== undefined && { token }),
    ...(secret !== undefined && { secret }),
    ...(issuer !== undefined && { issuer }),
    ...(audience !== undefined && { audience }),
    ...(corsOrigin !== undefined && { corsOrigin }),
  };
};

const readBaseUrl = (value: string | undefined): URL => {
  if (value === undefined) throw new UsageError('--base-url is required');
  const url = URL.parse(value);
  if (!url || !['http:', 'https:'].includes(url.protocol)) {
    throw new UsageError('--base-url must be an http or https URL');
  }
  return url;
};

const secretFile = ({ DATA_DIR }: Environment): string =>
  resolve(join(DATA_DIR || '.data', 'jwt-secret'));

/** The secret of a service that runs beside: as configured, or as it made one for itself. */
const findSecret = (environment: Environment): { secret: string; source: string } | undefined => {
  const { AUTH_JWT_SECRET: secret } = environment;
  if (secret) return { secret, source: 'AUTH_JWT_SECRET' };
  const source = secretFile(environment);
  try {
    return { secret: readFileSync(source, 'utf8').trim(), source };
  } catch {
    return undefined;
  }
};
