// What the terminal shows when the service has started: where it is, how to sign requests, what to try.
import { chmod, writeFile } from 'node:fs/promises';
import { isIPv6 } from 'node:net';
import { join } from 'node:path';
import { makeDataDir } from '@muster/database';
import type { FirstOwner, SigningKeys } from '../auth/index.ts';
import { signToken } from '../auth/index.ts';
import type { Config } from '../platform/index.ts';
import { callOf, isLoopbackHost } from '../platform/index.ts';
import type { DemoExamples } from './demo/index.ts';

type WelcomeParts = {
  config: Config;
  keys: SigningKeys;
  baseUrl: string;
  /** Null when the database has nothing to join or to list. */
  examples: DemoExamples | null;
  /** Null when a person has signed in before. */
  owner: FirstOwner | null;
};

/**
 * The text of the welcome, with a fresh credential for the player of the sample join. Plain text without colours, since it may
 * be piped. Every curl line can be pasted as it is.
 */
export const composeWelcome = async (parts: WelcomeParts): Promise<string> => {
  const { config, keys, baseUrl, examples, owner } = parts;
  const named = examples ?? PLACEHOLDERS;
  const sample = await makeSampleCredential(config, keys, named.join.playerUuid);
  return [
    '',
    `Muster is ready at ${baseUrl}`,
    '',
    ...(await describeSignIn(config, owner, baseUrl)),
    '',
    'Sign requests with a token of your own:',
    `  ${callOf('token')} --sub <id> --permissions session:update-player:self,sandbox:config:view`,
    '',
    'Try it:',
    ...(sample.credentialNote ? [sample.credentialNote] : []),
    ...(examples ? [] : [NOTHING_YET]),
    ...listRequests(baseUrl, sample.credential, named).flatMap((line) => ['', line]),
    '',
    '',
  ].join('\n');
};

const NOTHING_YET =
  'The database has nothing to try: the join answers 404 until there is a session, the histories are empty.';

/** Stand-ins that are well formed: what they name does not exist. */
const PLACEHOLDERS: DemoExamples = {
  sandboxId: '00000000-0000-4000-8000-000000000000',
  join: {
    platform: 'Steam',
    platformSessionIdBase64: 'bXVzdGVyLXNlc3Npb24',
    playerUuid: '7d2f3c1a-5b64-4e0f-9a8d-2c6e1f4b9a70',
    teamId: 0,
    clientVersion: '1.0.0',
    input: 'gamepad',
  },
};

const listRequests = (
  baseUrl: string,
  credential: string,
  { sandboxId, join }: DemoExamples,
): string[] => {
  const history = `${baseUrl}/v1/history/sandbox/${sandboxId}`;
  const auth = `-H "Authorization: Bearer ${credential}"`;
  return [
    `curl -sS ${auth} -H 'Content-Type: application/json' -d '${joinBody(join)}' '${joinUrl(baseUrl, join)}'`,
    `curl -sS ${auth} '${history}/item/?page_size=5'`,
    `curl -sS ${auth} '${history}/xp/?page_size=5'`,
  ];
};

const joinUrl = (baseUrl: string, join: DemoExamples['join']): string =>
  [
    `${baseUrl}/session/v1/platform/${join.platform}`,
    `platform-session/${encodeURIComponent(join.platformSessionIdBase64)}`,
    `player/${join.playerUuid}`,
  ].join('/');

/** Single quotes would end the argument of the shell; JSON may write them as an escape. */
const joinBody = ({ platform, input, teamId, clientVersion }: DemoExamples['join']): string =>
  JSON.stringify({
    client_version: clientVersion,
    client_settings: { platform, input },
    team_id: teamId,
  }).replaceAll("'", '\\u0027');

/** The one-time password of the first owner is shown only where no other machine can read it. */
const describeSignIn = async (
  { host, dataDir, accounts }: Pick<Config, 'host' | 'dataDir' | 'accounts'>,
  owner: FirstOwner | null,
  baseUrl: string,
): Promise<string[]> => {
  const url = accounts.publicUrl?.origin ?? baseUrl;
  if (!owner) return [`Sign in at ${url}`];
  const password = isLoopbackHost(host)
    ? `  one-time password: ${owner.oneTimePassword}`
    : `  one-time password: in ${await writePrivately(dataDir, 'owner-password', owner.oneTimePassword)}`;
  return [
    `Sign in at ${url} and choose a password of your own:`,
    `  e-mail: ${owner.email}`,
    password,
  ];
};

type SampleCredential = {
  /** Shell text: a token, a command that reads one, or a placeholder. */
  credential: string;
  /** Said about it where it is no token. */
  credentialNote?: string;
};

const PERMISSIONS = ['session:update-player:self', 'sandbox:config:view'];
const TTL_SECONDS = 24 * 60 * 60;

/** Beyond loopback the token goes into a file of mode 0600, and the sample requests read it from there. */
const makeSampleCredential = async (
  { auth, host, dataDir }: Config,
  keys: SigningKeys,
  playerUuid: string,
): Promise<SampleCredential> => {
  if (keys.kind === 'jwks') return PLACEHOLDER;
  const claims = { sub: playerUuid, permissions: PERMISSIONS };
  const { keys: _, ...names } = auth;
  const token = await signToken(claims, { ...names, ...keys, ttlSeconds: TTL_SECONDS });
  if (isLoopbackHost(host)) return { credential: token };
  const file = await writePrivately(dataDir, 'sample-token', token);
  return {
    credential: `$(cat ${quoteForShell(file)})`,
    credentialNote: `The token of these requests is in ${file}.`,
  };
};

const PLACEHOLDER = {
  credential: '<token>',
  credentialNote:
    'Put a token of your issuer in the place of <token>: this service cannot sign one.',
};

const quoteForShell = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** Writes a file that only its owner can read, and returns its path. */
const writePrivately = async (folder: string, name: string, content: string): Promise<string> => {
  const file = join(folder, name);
  await makeDataDir(folder);
  await writeFile(file, `${content}\n`, { mode: 0o600 });
  await chmod(file, 0o600);
  return file;
};

/** Addresses that mean every interface cannot be connected to everywhere; this machine always can. */
const REACHABLE: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

export const toBaseUrl = (host: string, port: number): string => {
  const reachable = REACHABLE[host] ?? host;
  return `http://${isIPv6(reachable) ? `[${reachable}]` : reachable}:${port}`;
};
