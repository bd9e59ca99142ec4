// A service that runs already, named by its URL and the secret that its tokens are signed with.
import { Problem, sentenceOf } from '../problem.ts';
import type { Provider } from './provider.ts';

export type RunningProviderOptions = {
  url: string;
  secret: string;
  issuer?: string;
  audience?: string;
};

const TIMEOUT_MS = 10_000;

/** Throws Problem when nothing answers there or the secret is not one that the service could have. */
export const useRunningProvider = async (options: RunningProviderOptions): Promise<Provider> => {
  const { secret, issuer, audience } = options;
  if (!/^https?:\/\//.test(options.url) || !URL.canParse(options.url)) {
    throw new Problem(`--provider-url ${options.url} is no http or https URL.`);
  }
  if (Buffer.byteLength(secret) < 32) {
    throw new Problem('--secret must be at least 32 bytes long, as the service requires.');
  }
  const url = options.url.replace(/\/+$/, '');
  await assertAnswers(url);
  return {
    url,
    secret,
    ...(issuer && { issuer }),
    ...(audience && { audience }),
    lastOutput: () => '',
    stop: async () => {},
  };
};

const assertAnswers = async (url: string): Promise<void> => {
  try {
    const response = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`it answers ${response.status} to /readyz`);
  } catch (error) {
    const cause = error instanceof Error && error.cause ? error.cause : error;
    throw new Problem(`The service at ${url} is not ready: ${sentenceOf(cause)}.`);
  }
};
