// What stands around the operations: title, servers, tags, credentials.
import manifest from '../../package.json' with { type: 'json' };

export const TAGS = [
  {
    name: 'Sessions',
    description: 'Players join multiplayer sessions through the sessions of their platforms.',
  },
  {
    name: 'Histories',
    description: 'Every version of every Item and Xp table of a sandbox, page by page.',
  },
];

const DESCRIPTION = `Players join multiplayer sessions across platforms; live-ops teams read the version history of a game's Items and Xp tables.

**Errors.** There is no 401: a missing or bad credential is 403 with \`auth_success: false\`, so refresh the token and send the request again. Any other refusal has \`auth_success: true\`. Every 409, 429 and 503 says in \`Retry-After\` when to come back. A 422 lists every problem of the request. Later versions may add fields and error codes: ignore fields that you do not know, and treat an unknown \`error_code\` by its status.

**Values.** Bodies are JSON in UTF-8. UUIDs are any 8-4-4-4-12 hexadecimal digits and are written in lower case. Integers are at most 2^53 − 1 in magnitude. Lengths count Unicode characters. Date-times are RFC 3339 in UTC. Absent fields are left out, never null. Unknown parameters and fields of a request are ignored; a scalar query parameter given twice is refused.`;

export const INFO = {
  title: 'Muster',
  version: manifest.version,
  description: DESCRIPTION,
  license: {
    name: 'Apache-2.0',
    url: 'https://www.apache.org/licenses/LICENSE-2.0',
  },
};

export const SERVERS = [
  { url: '/', description: 'The service that this document comes from, or the base URL of yours.' },
];

export const SECURITY_SCHEMES = {
  bearerAuth: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description:
      'A signed JWT with `sub` (for a player, the player UUID), `exp`, and permissions in the claim `permissions` (an array of strings) or `scope` (separated by spaces). A permission that ends in `*` covers everything below it.',
  },
} as const;
