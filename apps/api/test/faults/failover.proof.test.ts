// A failover under load: two PostgreSQL servers with synchronous replication, of which the standby becomes the primary.
import { withClient } from '@muster/database';
import type { FragilePostgres, TestReplica } from '@muster/database/testing';
import {
  startFragilePostgres,
  startPgbouncer,
  startSynchronousReplica,
} from '@muster/database/testing';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readDocumentedSettings } from '../pgbouncer-guide.ts';
import type { ServiceProcess } from '../service-process.ts';
import { startServiceProcess } from '../service-process.ts';
import { openFaultyLink } from './faulty-link.ts';
import { injectFault, PROMISED_MS } from './inject-fault.ts';
import { findFailures } from './join-load.ts';
import { startAgain } from './start-again.ts';
import { SECRET } from './test-bed.ts';
import { NOTHING_LOST } from './verify-outcome.ts';

/** The one address of the primary, whichever server that is. */
type Address = {
  url: string;
  pointTo(serverUrl: string): Promise<void>;
  close(): Promise<void>;
};

const openLink = async (serverUrl: string): Promise<Address> => {
  const link = await openFaultyLink(Number(new URL(serverUrl).port));
  const url = new URL(serverUrl);
  url.port = String(link.port);
  return {
    url: url.href,
    pointTo: async (target) => link.pointTo(Number(new URL(target).port)),
    close: link.close,
  };
};

const openPgbouncer = async (serverUrl: string): Promise<Address> => {
  const { url, pointTo, stop } = await startPgbouncer(serverUrl, await readDocumentedSettings());
  return { url, pointTo, close: stop };
};

/** The fault of the primary before the standby is promoted. */
const CAUSES: [string, (primary: FragilePostgres) => Promise<void>][] = [
  ['is killed', (primary) => primary.kill()],
  ['is stopped', (primary) => primary.stop()],
  ['does not answer and keeps its connections', (primary) => primary.freeze()],
  [
    'is read-only and remains reachable',
    ({ url }) =>
      withClient({ connectionString: url }, async (client) => {
        await client.query('ALTER SYSTEM SET default_transaction_read_only = on');
        await client.query('SELECT pg_reload_conf()');
      }),
  ],
];

const ADDRESSES: [string, (serverUrl: string) => Promise<Address>][] = [
  ['one TCP address', openLink],
  ['PgBouncer in session mode', openPgbouncer],
];

let primary: FragilePostgres;
let standby: TestReplica;
beforeEach(async () => {
  primary = await startFragilePostgres();
  standby = await startSynchronousReplica(primary);
});
afterEach(async () => {
  await standby.remove();
  await primary.remove();
});

describe.each(ADDRESSES)('behind %s', (_, openAddress) => {
  let address: Address;
  let service: ServiceProcess;
  beforeEach(async () => {
    address = await openAddress(primary.url);
    service = await startServiceProcess({ DATABASE_URL: address.url, AUTH_JWT_SECRET: SECRET });
  });
  afterEach(async () => {
    expect(await service.stop()).toBe(0);
    await address.close();
  });

  test.each(CAUSES)('loses nothing and continues joins when the primary %s', async (_, begin) => {
    let promotedAt = Number.NaN;
    const seen = await injectFault({
      baseUrls: [service.baseUrl],
      databaseUrl: () => standby.url,
      begin: () => begin(primary),
      seconds: 4,
      end: async () => {
        await standby.promote();
        promotedAt = performance.now();
        await address.pointTo(standby.url);
      },
    });
    expect(seen.outcome).toEqual(NOTHING_LOST);
    expect(seen.lost).toBe(0);
    expect(seen.joins).toMatchObject({ violations: [], unanswered: 0 });
    expect(findFailures(seen.joins)).toEqual(['service_overloaded']);
    expect(seen.joins.slowest).toBeLessThan(PROMISED_MS);
    // The second code means that a previous edit has not ended.
    const promised = ['503 service_unavailable', '409 sandbox_busy'];
    expect(promised).toEqual(expect.arrayContaining([...new Set(seen.edits.refusals)]));
    expect(seen.edits.refusals).toContain('503 service_unavailable');
    expect(seen.adminStatuses).toEqual(new Set([200, 503]));
    expect(seen.historyStatuses).toEqual(new Set([200, 503]));
    expect(seen.readiness.map(({ status }) => status)).toContain(503);
    const firstSeat = Math.min(...seen.joins.seatedAt.filter((at) => at > promotedAt));
    expect(firstSeat - promotedAt).toBeLessThan(10_000);
  });

  test('acknowledges nothing that the standby does not have', async () => {
    const seen = await injectFault({
      baseUrls: [service.baseUrl],
      databaseUrl: () => standby.url,
      begin: () => standby.freeze(),
      seconds: 4,
      end: async () => {
        await primary.kill();
        // This drops data that the primary has sent and the standby has not written.
        await standby.kill();
        await startAgain(standby);
        await standby.promote();
        await address.pointTo(standby.url);
      },
    });
    expect(seen.outcome).toEqual(NOTHING_LOST);
    expect(seen.lost).toBe(0);
    expect(seen.joins).toMatchObject({ violations: [], unanswered: 0 });
    expect(seen.recoveryMs).toBeLessThan(10_000);
  });
});
