// What a person reads when the service has started: where it is, how to sign requests, what to try.
import type { DemoExamples } from '../demo/index.ts';

export type Welcome = {
  baseUrl: string;
  /** How people sign in. */
  signIn: readonly string[];
  /** Shell text of the credential: a token, a command that reads one, or a placeholder. */
  credential: string;
  /** Said about the credential where it is no token. */
  credentialNote?: string;
  /** Null when the database has nothing to join or to list. */
  examples: DemoExamples | null;
};

/** Plain text without colours, since it may be piped. Every curl line can be pasted as it is. */
export const describeWelcome = (welcome: Welcome): string =>
  [
    '',
    `Muster is ready at ${welcome.baseUrl}`,
    '',
    ...welcome.signIn,
    '',
    'Sign requests with a token of your own:',
    '  npm run -s token -- --sub <id> --permissions session:update-player:self,sandbox:config:view',
    '',
    'Try it:',
    ...(welcome.credentialNote ? [welcome.credentialNote] : []),
    ...(welcome.examples ? [] : [NOTHING_YET]),
    ...listRequests(welcome).flatMap((line) => ['', line]),
    '',
    '',
  ].join('\n');

const NOTHING_YET =
  'The database has nothing to try: the join answers 404 until there is a session, the histories are empty.';

/** Stand-ins that are well formed: what they name does not exist. */
export const PLACEHOLDERS: DemoExamples = {
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

const listRequests = ({ baseUrl, credential, examples }: Welcome): string[] => {
  const { sandboxId, join } = examples ?? PLACEHOLDERS;
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
