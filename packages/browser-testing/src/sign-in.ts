// People for browsers, who get in the way people do: an invitation, a password, a cookie.

export type Person = { email: string; password: string };

export type Cookie = { name: string; value: string; url: string };

/** A mutation of the admin API. */
export type Call = <Data>(procedure: string, input: object) => Promise<Data>;

type Newcomer = Person & {
  name: string;
  role: string;
  sandboxIds?: readonly string[] | undefined;
};

/** Makes a person who has accepted an invitation. Without `sandboxIds` the role reaches every sandbox. */
export const addPerson = async (
  call: Call,
  { email, password, name, role, sandboxIds }: Newcomer,
): Promise<Person> => {
  const invitation = { email, role, sandbox_ids: sandboxIds };
  const { url } = await call<{ url: string }>('people.invite', invitation);
  await call('invitations.accept', { token: readToken(url), name, password });
  return { email, password };
};

/** The token is in the fragment, which browsers keep to themselves. */
const readToken = (url: string): string => new URL(url).hash.replace(/^#(?:token=)?/, '');

/** The cookies of a new sign-in. */
export const signIn = async (baseUrl: string, person: Person): Promise<Cookie[]> => {
  const response = await fetch(`${baseUrl}/admin/auth/sign-in/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: baseUrl },
    body: JSON.stringify(person),
  });
  if (!response.ok) throw new Error(`Signing in answered ${await response.text()}`);
  return response.headers.getSetCookie().map((line) => {
    const [pair = ''] = line.split(';');
    const at = pair.indexOf('=');
    return { name: pair.slice(0, at), value: pair.slice(at + 1), url: baseUrl };
  });
};

/** Signs in, and calls mutations of the admin API as the person's browser does. */
export const callAs = async (baseUrl: string, person: Person): Promise<Call> => {
  const cookies = await signIn(baseUrl, person);
  const headers = {
    cookie: cookies.map(({ name, value }) => `${name}=${value}`).join('; '),
    origin: baseUrl,
    'content-type': 'application/json',
  };
  return async <Data>(procedure: string, input: object): Promise<Data> => {
    const body = JSON.stringify(input);
    const url = `${baseUrl}/admin/trpc/${procedure}`;
    const response = await fetch(url, { method: 'POST', headers, body });
    const answer = (await response.json()) as { result: { data: Data } };
    if (!response.ok) throw new Error(`${procedure} answered ${JSON.stringify(answer)}`);
    return answer.result.data;
  };
};
