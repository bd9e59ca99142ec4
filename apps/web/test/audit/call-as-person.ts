import type { Person } from '@muster/browser-testing';
import { signIn } from '@muster/browser-testing';

export type Answer = Record<string, unknown>;
export type Call = (procedure: string, input: object) => Promise<Answer>;

/** Calls mutations as the page of a person who is signed in does. */
export const callAsPerson = async (baseUrl: string, person: Person): Promise<Call> => {
  const cookies = await signIn(baseUrl, person);
  const headers = {
    cookie: cookies.map(({ name, value }) => `${name}=${value}`).join('; '),
    origin: baseUrl,
    'content-type': 'application/json',
  };
  return async (procedure, input) => {
    const body = JSON.stringify(input);
    const url = `${baseUrl}/admin/trpc/${procedure}`;
    const response = await fetch(url, { method: 'POST', headers, body });
    const answer = (await response.json()) as { result?: { data?: Answer } };
    if (!response.ok) throw new Error(`${procedure} answered ${JSON.stringify(answer)}`);
    return answer.result?.data ?? {};
  };
};
