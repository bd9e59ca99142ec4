// The one HTML page of the web app. Each answer carries a nonce of its own, and a policy that trusts nothing else.
import { randomBytes } from 'node:crypto';

/** What `html.cspNonce` of apps/web/vite.config.ts writes wherever a nonce belongs. */
const NONCE_PLACEHOLDER = 'muster-nonce';

const writePolicy = (nonce: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "font-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');

/** The page for one answer, and the headers that belong to its nonce. */
export const composePage = (html: string): { body: string; headers: Record<string, string> } => {
  const nonce = randomBytes(18).toString('base64');
  return {
    body: html.replaceAll(NONCE_PLACEHOLDER, nonce),
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': writePolicy(nonce),
      'Cross-Origin-Opener-Policy': 'same-origin',
      // Addresses of our pages name sandboxes and sessions; other sites need not know them.
      'Referrer-Policy': 'same-origin',
      'Cache-Control': 'no-store',
    },
  };
};
