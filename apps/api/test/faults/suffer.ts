// One fault from the beginning to the end: load before, during and after it, and what was answered held against the database.
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'vitest';
import { createArena } from './arena.ts';
import { authorise } from './credentials.ts';
import { startEditLoad } from './edit-load.ts';
import { startJoinLoad } from './join-load.ts';
import type { Observation } from './probe.ts';
import { startProbe } from './probe.ts';
import { reckon } from './reckon.ts';
import { reportFault } from './report-fault.ts';
import { SCALE } from './scale.ts';

export type Fault = {
  /** Of the services that the load goes to; may change while the fault lasts. */
  baseUrls: string[];
  /** Where the database can be asked in the end. */
  databaseUrl: () => string | Promise<string>;
  begin(): Promise<unknown>;
  end(): Promise<unknown>;
  seconds: number;
};

const HISTORY = '/v1/history/sandbox/2c0e8b1e-6d5f-4a37-9b63-0d7c1d5e8a11/item/';

/** What the machine of a test may take longer than promised, where others use it as well. */
const SLACK_MS = SCALE === 1 ? 1_000 : 0;
/** Joins, pages and the way back: nothing takes longer than this while a database is away. */
export const PROMISED_MS = 2_000 + SLACK_MS;

export const suffer = async ({ baseUrls, databaseUrl, begin, end, seconds }: Fault) => {
  const [first = ''] = baseUrls;
  const arena = await createArena(first, 150 * SCALE);
  const joins = startJoinLoad({ arena, baseUrls });
  const edits = await startEditLoad(baseUrls);
  const authorization = await authorise('reader', '*');
  const history = startProbe(first + HISTORY, { authorization });
  const readiness = startProbe(`${first}/readyz`);
  await delay(2_000 * SCALE);
  await begin();
  const begun = performance.now();
  await delay(seconds * 1_000);
  await end();
  const ended = performance.now();
  await delay(3_000 * SCALE);
  const record = { arena, joins: await joins.stop(), edits: await edits.stop() };
  const reckoning = await reckon(await databaseUrl(), record);
  // Else nothing lost would say nothing.
  expect(record.edits.edits.length).toBeGreaterThan(0);
  reportFault(record.joins, record.edits, reckoning);
  const during = ({ at }: Observation) => at > begun && at < ended - 2_000;
  const histories = await history.stop();
  const seatedAt = [...record.joins.seatedAt].sort((a, b) => a - b);
  return {
    ...record,
    lost: record.joins.joins.filter(({ outcome }) => outcome === 'lost').length,
    reckoning,
    histories: histories.filter(during),
    /** Of any page that was asked for before the fault was over, in milliseconds. */
    slowestPage: Math.max(...histories.filter(({ at }) => at < ended).map(({ ms }) => ms)),
    readiness: (await readiness.stop()).filter(during),
    /** The longest time in which nobody was given a seat, in milliseconds. */
    longestPauseMs: Math.max(...seatedAt.slice(1).map((at, index) => at - (seatedAt[index] ?? at))),
    /** From the end of the fault to the first seat. */
    recoveryMs: Math.min(...record.joins.seatedAt.filter((at) => at > ended)) - ended,
  };
};
