// The conformance suite against three processes behind nginx.
import { randomUUID } from 'node:crypto';
import type { Target } from '@muster/conformance';
import { closeConnections, createTarget, suite } from '@muster/conformance';
import { createTestDatabase } from '@muster/database/testing';
import { afterAll, beforeAll, expect } from 'vitest';
import { testEachCase } from '../test-each-case.ts';
import type { Cluster } from './nginx-cluster.ts';
import { startCluster } from './nginx-cluster.ts';

const secret = `${randomUUID()}${randomUUID()}`;

let cluster: Cluster;
let target: Target;
let dropDatabase: () => Promise<void>;
beforeAll(async () => {
  const { url, drop } = await createTestDatabase();
  dropDatabase = drop;
  cluster = await startCluster({ DATABASE_URL: url, AUTH_JWT_SECRET: secret });
  const baseUrl = new URL(cluster.baseUrl);
  target = await createTarget({ baseUrl, secret, historyAccess: 'authenticated' });
});
afterAll(async () => {
  closeConnections();
  expect(await cluster.stop()).toEqual([0, 0, 0]);
  await dropDatabase();
});

testEachCase(suite, () => target, { timeoutMs: 60_000 });
