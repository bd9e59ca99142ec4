import { text } from '../strings.ts';

/** The platform's own id of a session: opaque, in either base64 alphabet, padded or not. */
export const PlatformSessionId = text(1, 4096).meta({
  description:
    'Unique id of the platform session. The standard and the URL-safe alphabet, with and without padding, name the same one.',
  examples: ['bXVzdGVyLXNlc3Npb24'],
});

/** One spelling for the four that name the same platform session (RFC 4648 sections 4 and 5). */
export const canonicalPlatformSessionId = (id: string): string =>
  id.replaceAll('-', '+').replaceAll('_', '/').replace(/=+$/, '');
