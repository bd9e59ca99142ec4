// User and password inside a URL: fetch refuses them there, and a report must not name them.

export type SplitUrl = { url: string; headers: Record<string, string> };

/** The URL without them, byte for byte where it has none, and the header that says the same. */
export const splitCredentials = (written: string): SplitUrl => {
  if (!URL.canParse(written)) return { url: written, headers: {} };
  const url = new URL(written);
  if (url.username === '' && url.password === '') return { url: written, headers: {} };
  const pair = `${decode(url.username)}:${decode(url.password)}`;
  url.username = '';
  url.password = '';
  const authorization = `Basic ${Buffer.from(pair).toString('base64')}`;
  return { url: url.href, headers: { authorization } };
};

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};
