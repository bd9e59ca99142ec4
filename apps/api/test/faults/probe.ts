// Asks one path over and over while something fails, and keeps how each answer was and how long it took.
import { setTimeout as delay } from 'node:timers/promises';

export type Observation = {
  /** When the question was asked, as by performance.now(). */
  at: number;
  /** 0: no answer. */
  status: number;
  retryAfter: string | null;
  ms: number;
};

export type Probe = {
  /** Of the answers so far. */
  count(): number;
  stop(): Promise<readonly Observation[]>;
};

const PAUSE_MS = 50;

export const startProbe = (
  url: string,
  headers: Record<string, string> = {},
  pauseMs = PAUSE_MS,
): Probe => {
  const observations: Observation[] = [];
  let stopped = false;
  const ask = async () => {
    while (!stopped) {
      observations.push(await observe(url, headers));
      if (pauseMs > 0) await delay(pauseMs);
    }
  };
  const asking = ask();
  return {
    count: () => observations.length,
    stop: async () => {
      stopped = true;
      await asking;
      return observations;
    },
  };
};

const observe = async (url: string, headers: Record<string, string>): Promise<Observation> => {
  const at = performance.now();
  const seen = await fetch(url, { headers, signal: AbortSignal.timeout(20_000) })
    .then(async (response) => {
      await response.arrayBuffer();
      return { status: response.status, retryAfter: response.headers.get('retry-after') };
    })
    .catch(() => ({ status: 0, retryAfter: null }));
  return { at, ...seen, ms: performance.now() - at };
};
