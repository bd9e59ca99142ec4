// A person for the browser, who gets in the way people do: an invitation, a password, a cookie.
export type Cookie = { name: string; value: string; url: string };

/** A mutation of the admin API, with every permission. */
export type Call = <Data>(procedure: string, input: object) => Promise<Data>;

/** The cookies of an editor who has just signed in. */
export const signInEditor = async (baseUrl: string, call: Call): Promise<Cookie[]> => {
  const account = { email: 'editor@example.com', password: 'a long password of the benchmark' };
  const invitation = { email: account.email, role: 'editor' };
  const { url } = await call<{ url: string }>('people.invite', invitation);
  // The token is in the fragment, which browsers keep to themselves.
  const token = new URL(url).hash.replace(/^#(?:token=)?/, '');
  await call('invitations.accept', { token, name: 'Editor', password: account.password });
  const response = await fetch(`${baseUrl}/admin/auth/sign-in/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: baseUrl },
    body: JSON.stringify(account),
  });
  if (!response.ok) throw new Error(`Signing in answered ${await response.text()}`);
  return response.headers.getSetCookie().map((line) => {
    const [pair = ''] = line.split(';');
    const at = pair.indexOf('=');
    return { name: pair.slice(0, at), value: pair.slice(at + 1), url: baseUrl };
  });
};
