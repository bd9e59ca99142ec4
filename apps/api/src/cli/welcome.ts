// The text on the terminal when the service has started: its address, how to sign requests, and samples.
import { isIPv6 } from 'node:net';
import type { SigningKeys } from '../auth/index.ts';
import { signToken } from '../auth/index.ts';
import type { Config } from '../platform/index.ts';
import { callOf, isLoopbackHost, replacePrivateFile } from '../platform/index.ts';
import type { DemoExamples } from './demo/index.ts';
import type { OwnerNotice } from './owner-password.ts';

type WelcomeParts = {
  config: Config;
  keys: SigningKeys;
  baseUrl: string;
  /** Null when the database has nothing to join or to list. */
  examples: DemoExamples | null;
  /** Null when no one-time password is needed, or another process has it. */
  owner: OwnerNotice | null;
  /** False: the text contains no token. */
  showsSecrets: boolean;
};

/**
 * Whether the output may contain tokens and the one-time password: only on loopback, and only on a terminal or with
 * demo data and no public address. Other output is stored in a journal or a container's log, which more people can
 * read.
 */
export const mayShowSecrets = (
  { host, demoData, accounts }: Pick<Config, 'host' | 'demoData' | 'accounts'>,
  examples: DemoExamples | null,
  isTerminal: boolean,
): boolean => {
  const isDemo = demoData && examples !== null && accounts.publicUrl === undefined;
  return isLoopbackHost(host) && (isTerminal || isDemo);
};

/** Plain text without colours, since it may be piped. Every curl line can be pasted unchanged. */
export const composeWelcome = async (parts: WelcomeParts): Promise<string> => {
  const { config, baseUrl, examples, owner } = parts;
  const signInUrl = config.accounts.publicUrl?.origin ?? baseUrl;
  return [
    '',
    `Muster is ready at ${baseUrl}`,
    '',
    ...describeSignIn(owner, signInUrl),
    '',
    'Sign requests with your own token:',
    `  ${callOf('token')} --sub <id> --permissions ${listPermissions(examples?.sandboxId ?? '<sandbox_id>').join(',')}`,
    '',
    ...(await describeSamples(parts)),
    '',
  ].join('\n');
};

/**
 * Requests to paste, with a new credential for the player of the sample join. Empty without demo data when no token may
 * be shown.
 */
const describeSamples = async (parts: WelcomeParts): Promise<string[]> => {
  const { config, keys, baseUrl, examples, showsSecrets } = parts;
  if (!showsSecrets && !(config.demoData && examples)) return [];
  const named = examples ?? PLACEHOLDERS;
  const { playerUuid } = named.join;
  const permissions = listPermissions(named.sandboxId);
  const sample = await makeSampleCredential({
    config,
    keys,
    playerUuid,
    permissions,
    showsSecrets,
  });
  return [
    'Try it:',
    ...(sample.credentialNote ? [sample.credentialNote] : []),
    ...(examples ? [] : [NOTHING_YET]),
    ...listRequests(baseUrl, sample.credential, named).flatMap((line) => ['', line]),
    '',
  ];
};

const NOTHING_YET =
  'The database is empty: the join returns 404 until there is a session, and the histories are empty.';

/** Well-formed ids of objects that do not exist. */
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

/** Single quotes would end the shell argument, so JSON escapes replace them. */
const joinBody = ({ platform, input, teamId, clientVersion }: DemoExamples['join']): string =>
  JSON.stringify({
    client_version: clientVersion,
    client_settings: { platform, input },
    team_id: teamId,
  }).replaceAll("'", '\\u0027');

const describeSignIn = (owner: OwnerNotice | null, url: string): string[] => {
  if (!owner) return [`Sign in at ${url}`];
  const password = 'file' in owner ? `in ${owner.file}` : owner.oneTimePassword;
  return [
    `Sign in at ${url} and choose your own password:`,
    `  e-mail: ${owner.email}`,
    `  one-time password: ${password}`,
  ];
};

type SampleCredential = {
  /** Shell text: a token, a command that reads one, or a placeholder. */
  credential: string;
  /** A note when it is no token. */
  credentialNote?: string;
};

/** A player may read one sandbox only: others contain what players must not know yet. */
const listPermissions = (sandboxId: string): string[] => [
  'session:update-player:self',
  `sandbox:${sandboxId}:config:view`,
];

const TTL_SECONDS = 60 * 60;

/** A token that may not be shown is stored in a file of mode 0600, from which the sample requests read it. */
const makeSampleCredential = async ({
  config,
  keys,
  playerUuid,
  permissions,
  showsSecrets,
}: Pick<WelcomeParts, 'config' | 'keys' | 'showsSecrets'> & {
  playerUuid: string;
  permissions: string[];
}): Promise<SampleCredential> => {
  if (keys.kind === 'jwks') return PLACEHOLDER;
  const claims = { sub: playerUuid, permissions };
  const { keys: _, ...names } = config.auth;
  const token = await signToken(claims, { ...names, ...keys, ttlSeconds: TTL_SECONDS });
  if (showsSecrets) return { credential: token };
  const file = await replacePrivateFile(config.dataDir, 'sample-token', token);
  return {
    credential: `$(cat ${quoteForShell(file)})`,
    credentialNote: `The token of these requests is in ${file}.`,
  };
};

const PLACEHOLDER = {
  credential: '<token>',
  credentialNote: 'Replace <token> with a token of your issuer: this service cannot sign one.',
};

const quoteForShell = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** Addresses that mean every interface cannot be connected to on all systems, but loopback always can. */
const REACHABLE: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

export const toBaseUrl = (host: string, port: number): string => {
  const reachable = REACHABLE[host] ?? host;
  return `http://${isIPv6(reachable) ? `[${reachable}]` : reachable}:${port}`;
};
