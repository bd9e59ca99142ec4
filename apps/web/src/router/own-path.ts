/**
 * The path to go to after signing in, where it is one of this site; otherwise the start page. A link
 * could otherwise send people from our sign-in to a page that looks like ours (`//evil.example`, `/\evil.example`).
 */
export const toOwnPath = (next: string | undefined): string => {
  if (!next?.startsWith('/')) return '/';
  const url = new URL(next, 'http://own.invalid');
  // Dots that were removed may have uncovered a second slash: `/..//evil.example`.
  const isOwn = url.origin === 'http://own.invalid' && !url.pathname.startsWith('//');
  return isOwn ? `${url.pathname}${url.search}${url.hash}` : '/';
};
