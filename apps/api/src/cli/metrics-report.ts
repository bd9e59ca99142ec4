// The metrics of a running service, for a support bundle.
import { signToken } from '../auth/index.ts';
import type { Config } from '../platform/index.ts';
import { readLocalSecrets, StartError, showUrl } from '../platform/index.ts';

const TIMEOUT_MS = 10_000;

/** Asks without a credential first, which a port of its own (METRICS_PORT) does not need. Throws StartError. */
export const reportMetrics = async (address: URL, config: Config) => {
  const url = new URL(address.pathname === '/' ? '/metrics' : address, address);
  const shown = showUrl(url.href);
  const open = await ask(url, {});
  const token = open.status === 403 ? await signOwnToken(config) : undefined;
  const response = token ? await ask(url, { authorization: `Bearer ${token}` }) : open;
  const lines = (await response.text()).split('\n').filter((line) => /^[a-z]/.test(line));
  if (response.status === 200 && lines.some((line) => line.startsWith('muster_'))) {
    return { url: shown, lines };
  }
  throw new StartError(`${shown} answered ${response.status}, and not with the metrics of Muster.`);
};

const ask = async (url: URL, headers: Record<string, string>): Promise<Response> => {
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    return await fetch(url, { headers, redirect: 'error', signal });
  } catch {
    throw new StartError(`${showUrl(url.href)} does not answer.`);
  }
};

/** A token for the metrics only, for a minute; undefined when only an issuer can sign. */
const signOwnToken = async ({ auth, dataDir }: Config): Promise<string | undefined> => {
  const { keys, ...rules } = auth;
  if (keys.kind === 'jwks') return undefined;
  const secret =
    keys.kind === 'secret'
      ? keys.secret
      : (await readLocalSecrets(dataDir)).get('jwt-secret')?.trim();
  const claims = { sub: 'support-bundle', permissions: ['metrics:view'] };
  return secret === undefined ? undefined : signToken(claims, { ...rules, secret, ttlSeconds: 60 });
};
