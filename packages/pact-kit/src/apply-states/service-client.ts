// Calls the service as a game backend does: the admin API, and the public join for seats.

import { Problem, sentenceOf } from '../findings.ts';
import type { Provider } from '../provider/provider.ts';
import { KIT_ACCOUNT, signToken } from './sign-token.ts';

export type ServiceClient = {
  /** A mutation of the admin API; gives its answer. Throws StateError with the service's own reason. */
  change: (procedure: string, input: object, accountId?: string) => Promise<Answer>;
  /** Seats a player in the session of a platform session. */
  join: (seat: JoinCall) => Promise<void>;
};

export type Answer = Record<string, unknown>;

type JoinCall = {
  platform: string;
  platformSessionId: string;
  playerUuid: string;
  body: object;
};

/** A state cannot be established; the message explains why. */
export class StateError extends Error {
  override name = 'StateError';
}

const TIMEOUT_MS = 30_000;

export const createServiceClient = (provider: Provider): ServiceClient => {
  const tokens = new Map<string, Promise<string>>();
  const tokenFor = (sub: string): Promise<string> => {
    const found = tokens.get(sub) ?? signToken({ sub, permissions: ['*'] }, provider);
    tokens.set(sub, found);
    return found;
  };
  const post = async (path: string, body: object, accountId: string): Promise<Answer> => {
    const response = await fetch(`${provider.url}${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${await tokenFor(accountId)}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    }).catch((error: unknown) => {
      throw new Problem(`The service at ${provider.url} does not answer: ${sentenceOf(error)}.`);
    });
    const answer = (await response.json().catch(() => ({}))) as Answer;
    if (response.ok) return answer;
    const [, step = 'seating a player'] = path.split('/admin/trpc/');
    throw new StateError(`${step}: ${reasonOf(answer, response)}`);
  };
  return {
    change: async (procedure, input, accountId = KIT_ACCOUNT) => {
      const answer = await post(`/admin/trpc/${procedure}`, input, accountId);
      const { data } = (answer.result ?? {}) as { data?: Answer };
      return data ?? {};
    },
    join: async ({ platform, platformSessionId, playerUuid, body }) => {
      const session = `platform-session/${encodeURIComponent(platformSessionId)}`;
      const path = `/session/v1/platform/${platform}/${session}/player/${playerUuid}`;
      await post(path, body, KIT_ACCOUNT);
    },
  };
};

type Refusal = {
  desc?: string;
  error_code?: string;
  detail?: { loc: unknown[]; msg: string }[];
  error?: { data?: Refusal };
};

const reasonOf = (answer: Answer, { status }: Response): string => {
  const refusal = (answer as Refusal).error?.data ?? (answer as Refusal);
  const details = refusal.detail?.map(({ loc, msg }) => `${loc.join('.')} ${msg}`).join('; ');
  const said = [refusal.desc, refusal.error_code && `(${refusal.error_code})`, details];
  return said.filter(Boolean).join(' ') || `the service answered ${status}`;
};
