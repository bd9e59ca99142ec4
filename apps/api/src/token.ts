// Prints a token that the local service accepts, and nothing else.
import {
  getSigningKeys,
  parseTokenCommand,
  signToken,
  TOKEN_USAGE,
  UsageError,
} from './auth/index.ts';
import { ConfigError, loadConfig } from './config/index.ts';

const printToken = async (): Promise<void> => {
  if (process.argv.slice(2).includes('--help')) {
    process.stdout.write(`${TOKEN_USAGE}\n`);
    return;
  }
  const { claims, ttlSeconds } = parseTokenCommand(process.argv.slice(2));
  const config = loadConfig(process.env);
  const keys = await getSigningKeys(config);
  if (keys.kind === 'jwks') {
    throw new ConfigError(['AUTH_JWKS_URL is set: only its issuer can sign tokens.']);
  }
  const { keys: _, ...names } = config.auth;
  process.stdout.write(`${await signToken(claims, { ...names, ...keys, ttlSeconds })}\n`);
};

const isExplained = (error: unknown): error is Error =>
  error instanceof UsageError || error instanceof ConfigError;

await printToken().catch((error: unknown) => {
  if (!isExplained(error)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
});
