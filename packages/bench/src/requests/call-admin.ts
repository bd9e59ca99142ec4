import type { ServerProcess } from '../variants/start-server-process.ts';
import { signToken } from './player-token.ts';

type Signer = { secret: string; expiresAt: number };

/** Calls a mutation of the admin API with every permission, and answers its data. */
export const callAdmin = async <Data>(
  { secret, expiresAt }: Signer,
  { port }: Pick<ServerProcess, 'port'>,
  procedure: string,
  input: object,
): Promise<Data> => {
  const token = signToken({ sub: 'editor', permissions: ['*'] }, secret, expiresAt);
  const response = await fetch(`http://127.0.0.1:${port}/admin/trpc/${procedure}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(input),
  });
  if (!response.ok) throw new Error(`${procedure} answered ${await response.text()}`);
  const { result } = (await response.json()) as { result: { data: Data } };
  return result.data;
};
