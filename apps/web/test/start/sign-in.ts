// People for the tests, who get in the way people do: an invitation, a password, a cookie.
import type { Role } from '@muster/contract';
import type { Service } from './start-service.ts';

export type Person = { email: string; password: string };

export type Cookie = { name: string; value: string; url: string };

const PASSWORD = 'a long password of the web tests';

let count = 0;

/** Makes a person who has accepted an invitation. Without `sandboxIds` the role reaches every sandbox. */
export const makePerson = async (
  { call }: Service,
  role: Role,
  sandboxIds?: readonly string[],
): Promise<Person> => {
  count += 1;
  const email = `${role}-${count}@example.com`;
  const invitation = { email, role, sandbox_ids: sandboxIds };
  const { url } = await call<{ url: string }>('people.invite', invitation);
  const name = `${role[0]?.toUpperCase()}${role.slice(1)} ${count}`;
  await call('invitations.accept', { token: readToken(url), name, password: PASSWORD });
  return { email, password: PASSWORD };
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
