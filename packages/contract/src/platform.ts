import { z } from 'zod';
import { customIssue, Integer, text } from './strings.ts';

/** The platforms in their documented order. `Muster` is the service's own. */
export const PLATFORMS = [
  'Anon',
  'Basic',
  'XboxLive',
  'PSN',
  'NintendoNAID',
  'NintendoSwitch',
  'NintendoPPID',
  'Google',
  'GooglePlay',
  'Apple',
  'Epic',
  'Steam',
  'Amazon',
  'Twitch',
  'Muster',
  'LegacyName',
] as const;

export const Platform = z.enum(PLATFORMS).meta({
  id: 'Platform',
  description: 'A platform that players come from and that hosts platform sessions.',
  examples: ['Steam'],
});
export type Platform = z.infer<typeof Platform>;

/** The deprecated integers that older clients send in place of a platform's name. */
const PLATFORM_BY_ID: ReadonlyMap<number, Platform> = new Map([
  [2, 'Anon'],
  [4, 'Amazon'],
  [5, 'Steam'],
  [9, 'PSN'],
  [10, 'XboxLive'],
  [11, 'Basic'],
  [13, 'Google'],
  [16, 'Twitch'],
  [22, 'NintendoSwitch'],
  [24, 'Apple'],
  [26, 'NintendoNAID'],
  [28, 'Epic'],
]);

/**
 * The deprecated integer that names a platform. An unknown one passes here, since it is ignored where a platform is given;
 * documents enumerate the known ones.
 */
export const PlatformId = Integer.meta({
  id: 'PlatformId',
  description: `The number that older clients send in place of a platform's name: ${[...PLATFORM_BY_ID].map(([id, platform]) => `${id} ${platform}`).join(', ')}.`,
  enum: [...PLATFORM_BY_ID.keys()],
  'x-enum-varnames': [...PLATFORM_BY_ID.values()],
});

/** The platform of a deprecated `platform_id`, or null when there is none. */
export const findPlatformById = (platformId: number): Platform | null =>
  PLATFORM_BY_ID.get(platformId) ?? null;

/** The platform's own id of a session: opaque, in either base64 alphabet, padded or not. */
export const PlatformSessionId = text(1, 4096).meta({
  description:
    'Unique id of the platform session. The standard and the URL-safe alphabet, with and without padding, name the same one.',
  examples: ['bXVzdGVyLXNlc3Npb24'],
});

/** One spelling for the four that name the same platform session (RFC 4648 sections 4 and 5). */
export const canonicalPlatformSessionId = (id: string): string =>
  id.replaceAll('-', '+').replaceAll('_', '/').replace(/=+$/, '');

/** White space, control characters and characters that no font shows. */
const UNFIT_FOR_IDS = /[\p{White_Space}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u;

/**
 * Bytes of UTF-8 in the id of a platform session that is registered. Percent-encoded they take up to 30 KiB, and a request line with its
 * headers has at most 32 KiB.
 */
export const MAX_PLATFORM_SESSION_ID_BYTES = 10_240;

const countBytes = (text: string): number => new TextEncoder().encode(text).length;

/**
 * The id of a platform session that is registered. Clients receive it from their platform: one that was wrapped, padded
 * or pasted with invisible characters would match no request. Errors: `value_error.platform_session_id`.
 */
export const NewPlatformSessionId = PlatformSessionId.check(({ value, issues }) => {
  const isFit =
    value === '' ||
    (!UNFIT_FOR_IDS.test(value) &&
      canonicalPlatformSessionId(value) !== '' &&
      // A URL parser takes these segments for the folder itself and the one above (RFC 3986 section 5.2.4).
      !['.', '..'].includes(value));
  const problem = (message: string) =>
    issues.push(customIssue(value, 'value_error.platform_session_id', message));
  if (!isFit) {
    problem(
      'Must not contain white space, control or invisible characters, nor consist of padding or dots',
    );
  } else if (countBytes(value) > MAX_PLATFORM_SESSION_ID_BYTES) {
    problem(
      `Must have at most ${MAX_PLATFORM_SESSION_ID_BYTES} bytes of UTF-8, so that it fits into a path`,
    );
  }
});
