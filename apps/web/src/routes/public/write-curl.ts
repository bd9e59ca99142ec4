/** A shell command for the same request. The token stays out of it: commands are copied and kept. */
export const writeCurl = (url: string, hasToken: boolean): string => {
  const parts = ['curl -sS'];
  if (hasToken) parts.push('-H "Authorization: Bearer $TOKEN"');
  parts.push(quote(url));
  return parts.join(' \\\n  ');
};

/** For POSIX shells: within single quotes nothing but the quote itself means anything. */
const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
