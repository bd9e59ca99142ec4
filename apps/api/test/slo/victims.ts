// The players who are not part of the attack: a process that sends requests at a fixed rate, whether or not earlier ones were answered.
// Each request is a client of its own with a new connection, and latency counts from the planned moment.
import { request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { now, serveParent } from './child-process.ts';
import type { Sample } from './latency.ts';

export type VictimRequest = {
  method: 'GET' | 'POST';
  path: string;
  headers: Readonly<Record<string, string>>;
  body: string;
  /** Local address of the client. */
  address: string;
};

export type VictimPlan = {
  port: number;
  perSecond: number;
  /** Sent in this order, one after each interval. */
  requests: readonly VictimRequest[];
};

/** A player whose join takes longer has given up. */
const DEADLINE_MS = 5_000;

const send = (
  port: number,
  { method, path, headers, body, address }: VictimRequest,
): Promise<number> =>
  new Promise((resolve) => {
    const sent = request({
      host: '127.0.0.1',
      port,
      method,
      path,
      headers,
      localAddress: address,
      agent: false,
    });
    const deadline = setTimeout(() => sent.destroy(), DEADLINE_MS);
    const end = (status: number) => {
      clearTimeout(deadline);
      resolve(status);
    };
    sent.on('error', () => end(0));
    sent.on('response', (response) => {
      response.resume();
      response.on('end', () => end(response.statusCode ?? 0));
      response.on('error', () => end(0));
      response.on('close', () => end(0));
    });
    sent.end(body);
  });

serveParent(({ port, perSecond, requests }: VictimPlan) => {
  let isFinished = false;
  const play = async (each: VictimRequest, plannedAtMs: number, startAtMs: number) => {
    const status = await send(port, each);
    const sample: Sample = {
      plannedMs: plannedAtMs - startAtMs,
      latencyMs: status === 0 ? DEADLINE_MS : now() - plannedAtMs,
      status,
    };
    return sample;
  };
  return {
    run: async (startAtMs) => {
      const playing: Promise<Sample>[] = [];
      for (const [index, each] of requests.entries()) {
        const plannedAtMs = startAtMs + (index * 1_000) / perSecond;
        const waitMs = plannedAtMs - now();
        if (waitMs > 0) await delay(waitMs);
        if (isFinished) break;
        playing.push(play(each, plannedAtMs, startAtMs));
      }
      return Promise.all(playing);
    },
    finish: () => {
      isFinished = true;
    },
  };
});
