// A slow network between clients, service and database, which cuts connections in the middle of data.
import { setInterval as every } from 'node:timers/promises';
import { createTestDatabase } from '@muster/database/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ServiceProcess } from '../service-process.ts';
import { startServiceProcess } from '../service-process.ts';
import type { FaultyLink } from './faulty-link.ts';
import { openFaultyLink } from './faulty-link.ts';
import { injectFault } from './inject-fault.ts';
import { SECRET } from './test-bed.ts';
import { NOTHING_LOST } from './verify-outcome.ts';

let databaseUrl: string;
let dropDatabase: () => Promise<void>;
let service: ServiceProcess;
let toDatabase: FaultyLink;
let toService: FaultyLink;
beforeAll(async () => {
  ({ url: databaseUrl, drop: dropDatabase } = await createTestDatabase());
  const url = new URL(databaseUrl);
  toDatabase = await openFaultyLink(Number(url.port));
  url.port = String(toDatabase.port);
  service = await startServiceProcess({ DATABASE_URL: url.href, AUTH_JWT_SECRET: SECRET });
  toService = await openFaultyLink(Number(new URL(service.baseUrl).port));
});
afterAll(async () => {
  await toService.close();
  expect(await service.stop()).toBe(0);
  await toDatabase.close();
  await dropDatabase();
});

const SECONDS = 4;

const sufferHere = (begin: () => void, end: () => void) =>
  injectFault({
    baseUrls: [`http://127.0.0.1:${toService.port}`],
    databaseUrl: () => databaseUrl,
    seconds: SECONDS,
    begin: async () => begin(),
    end: async () => end(),
  });

/** Cuts the link repeatedly until it is stopped. */
const startCutting = (link: FaultyLink): (() => void) => {
  const stop = new AbortController();
  const cutting = async () => {
    for await (const _ of every(300, null, { signal: stop.signal })) link.cut();
  };
  cutting().catch(() => {});
  return () => stop.abort();
};

test('loses nothing when connections to the database are repeatedly cut', async () => {
  let stop = () => {};
  const begin = () => {
    stop = startCutting(toDatabase);
  };
  const seen = await sufferHere(begin, () => stop());
  expect(seen.outcome).toEqual(NOTHING_LOST);
  expect(seen.lost).toBe(0);
  expect(seen.joins).toMatchObject({ violations: [], unanswered: 0 });
  expect(seen.joins.putOff).toBeGreaterThan(0);
});

test('loses nothing when responses are cut in the middle', async () => {
  const seen = await sufferHere(
    () => toService.cutAnswersAfter(10_000),
    () => toService.cutAnswersAfter(undefined),
  );
  expect(seen.outcome).toEqual(NOTHING_LOST);
  expect(seen.lost).toBe(0);
  expect(seen.joins.violations).toEqual([]);
  expect(seen.joins.unanswered).toBeGreaterThan(0);
});

test('only delays responses when the network is slow', async () => {
  const seen = await sufferHere(
    () => {
      for (const link of [toDatabase, toService]) link.slowDown(100);
    },
    () => {
      for (const link of [toDatabase, toService]) link.slowDown(0);
    },
  );
  expect(seen.outcome).toEqual(NOTHING_LOST);
  expect(seen.lost).toBe(0);
  expect(seen.joins).toMatchObject({ violations: [], unanswered: 0, putOff: 0 });
  // Two round trips to the service, and at least one to the database.
  expect(seen.joins.slowest).toBeGreaterThan(400);
});
