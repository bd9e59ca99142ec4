// Injects one fault: load before, during and after it, and a comparison of the responses with the database.

import { appendFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'vitest';
import type { EditRecord } from './edit-load.ts';
import { startEditLoad } from './edit-load.ts';
import type { JoinRecord } from './join-load.ts';
import { startJoinLoad } from './join-load.ts';
import { authorise, createTestBed } from './test-bed.ts';
import type { Outcome } from './verify-outcome.ts';
import { verifyOutcome } from './verify-outcome.ts';

/** Multiplies the load of each fault: 1 in the proofs, more in `node scripts/run.mjs faults`. */
export const SCALE = Number(process.env.FAULTS_SCALE ?? 1);

export type Fault = {
  /** The services under load; may change during the fault. */
  baseUrls: string[];
  /** The database for the final checks. */
  databaseUrl: () => string | Promise<string>;
  begin(): Promise<unknown>;
  end(): Promise<unknown>;
  seconds: number;
};

const HISTORY = '/v1/history/sandbox/2c0e8b1e-6d5f-4a37-9b63-0d7c1d5e8a11/item/';

/** The tolerance for a test machine with other work. */
const SLACK_MS = SCALE === 1 ? 1_000 : 0;
/** The maximum duration of joins, pages and the recovery from an outage of the database. */
export const PROMISED_MS = 2_000 + SLACK_MS;

export const injectFault = async ({ baseUrls, databaseUrl, begin, end, seconds }: Fault) => {
  const [first = ''] = baseUrls;
  const testBed = await createTestBed(first, 150 * SCALE);
  const joins = startJoinLoad({ testBed, baseUrls });
  const edits = await startEditLoad(baseUrls);
  const authorization = await authorise('reader', '*');
  const history = startProbe(first + HISTORY, { authorization });
  const admin = startProbe(`${first}/admin/trpc/sandboxes.list?input=%7B%7D`, { authorization });
  const readiness = startProbe(`${first}/readyz`);
  await delay(2_000 * SCALE);
  await begin();
  const begun = performance.now();
  await delay(seconds * 1_000);
  await end();
  const ended = performance.now();
  await delay(3_000 * SCALE);
  const record = { testBed, joins: await joins.stop(), edits: await edits.stop() };
  const outcome = await verifyOutcome(await databaseUrl(), record);
  // Otherwise a result without losses would prove nothing.
  expect(record.edits.edits.length).toBeGreaterThan(0);
  reportFault(record.joins, record.edits, outcome);
  const during = ({ at }: Observation) => at > begun && at < ended - 2_000;
  const histories = await history.stop();
  const adminReads = await admin.stop();
  const seatedAt = [...record.joins.seatedAt].sort((a, b) => a - b);
  return {
    ...record,
    lost: record.joins.joins.filter(({ outcome }) => outcome === 'lost').length,
    outcome,
    histories: histories.filter(during),
    /** Of every requested page, also before and after the fault. */
    historyStatuses: new Set(histories.map(({ status }) => status)),
    /** Of every requested list of the admin API, likewise. */
    adminStatuses: new Set(adminReads.map(({ status }) => status)),
    /** Of any page requested before the end of the fault, in milliseconds. */
    slowestPage: Math.max(...histories.filter(({ at }) => at < ended).map(({ ms }) => ms)),
    readiness: (await readiness.stop()).filter(during),
    /** The longest time without a new seat, in milliseconds. */
    longestPauseMs: Math.max(...seatedAt.slice(1).map((at, index) => at - (seatedAt[index] ?? at))),
    /** From the end of the fault to the first seat. */
    recoveryMs: Math.min(...record.joins.seatedAt.filter((at) => at > ended)) - ended,
  };
};

type Observation = {
  /** The time of the request, as by performance.now(). */
  at: number;
  /** 0: no response. */
  status: number;
  retryAfter: string | null;
  ms: number;
};

export type Probe = {
  /** Of the responses so far. */
  count(): number;
  stop(): Promise<readonly Observation[]>;
};

const PAUSE_MS = 50;

/** Requests one URL repeatedly during a fault, and keeps the status and duration of each response. */
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

/** Reports the effect of a fault to `node scripts/run.mjs faults`. */
export const reportFault = (
  joins: JoinRecord,
  { edits }: EditRecord,
  { lostJoins, lostEdits, overfullSessions, inventedSeats }: Outcome,
): void => {
  const file = process.env.FAULTS_REPORT;
  if (file === undefined) return;
  const report = {
    name: expect.getState().currentTestName,
    joins: joins.joins.length,
    edits: edits.length,
    putOff: joins.putOff,
    unanswered: joins.unanswered,
    slowestMs: Math.round(joins.slowest),
    lostJoins,
    lostEdits,
    seatsTooMany: overfullSessions + inventedSeats,
  };
  appendFileSync(file, `${JSON.stringify(report)}\n`);
};
