import { signToken } from '../start/sign-token.ts';

/** A query of the admin API with every permission, without input. */
export const askAdmin = async <Data>(baseUrl: string, procedure: string): Promise<Data> => {
  const response = await fetch(`${baseUrl}/admin/trpc/${procedure}`, {
    headers: { authorization: `Bearer ${signToken('web-tests', ['*'])}` },
  });
  const answer = (await response.json()) as { result: { data: Data } };
  if (!response.ok) throw new Error(`${procedure} answered ${JSON.stringify(answer)}`);
  return answer.result.data;
};
