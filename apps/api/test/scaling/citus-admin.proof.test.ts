// The admin API on a real Citus cluster responds as on one node.
import { findShards } from '@muster/database';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listProcedures } from '../../src/admin/testing/list-procedures.ts';
import {
  addPerson,
  signInThroughIssuer,
  startTestIssuer,
  verified,
} from '../../src/auth/testing/test-issuer.ts';
import type { TestService } from '../test-service.ts';
import { startTestService } from '../test-service.ts';
import { createTransferClient } from '../transfer-client.ts';
import { runAdminCalls } from './admin-calls.ts';
import type { RecordedCall } from './recorder.ts';
import { cluster, hasNoCitus } from './with-citus.ts';

/** Only a receiver makes them succeed. The tables of webhooks are local to the coordinator, as on one node. */
const NEED_RECEIVER = ['webhooks.resend', 'webhooks.test'];

describe.skipIf(hasNoCitus)('the admin API on a Citus cluster', () => {
  let services: TestService[];
  let expected: RecordedCall[];
  let found: RecordedCall[];
  beforeAll(async () => {
    const shards = await findShards(cluster.url);
    services = [
      await startTestService(),
      await startTestService({ databaseUrl: cluster.url, shards }),
    ];
    const [onOneNode, onCluster] = services as [TestService, TestService];
    expected = await runAdminCalls(onOneNode);
    found = await runAdminCalls(onCluster);
  });
  afterAll(async () => {
    for (const service of services) await service.close();
    await cluster.stop();
  });

  test('calls every procedure, and each succeeds on one node', () => {
    const succeeded = new Set(
      expected.filter(({ status }) => status === 200).map(({ call }) => call),
    );
    const missing = listProcedures().filter(
      ({ name }) => !succeeded.has(name) && !NEED_RECEIVER.includes(name),
    );
    expect(missing.map(({ name }) => name)).toEqual([]);
  });

  test('answers each call as on one node, except for generated values', () => {
    expect(found.map(({ call, status }) => `${call} ${status}`)).toEqual(
      expected.map(({ call, status }) => `${call} ${status}`),
    );
    expect(found).toEqual(expected);
  });

  test('refuses creations with a taken name, platform session or legacy id', () => {
    const answers = found.filter(({ call }) => call.includes('sessions.createMany'));
    const codes = JSON.stringify(answers).match(/(?<="error_code":")\w+/g);
    expect(codes).toEqual(['session_exists', 'platform_session_taken', 'player_id_taken']);
  });

  test('links one identity of an issuer, which signs in again, and refuses a second one', async () => {
    const issuer = await startTestIssuer();
    const shards = await findShards(cluster.url);
    const service = await startTestService({
      env: issuer.env,
      databaseUrl: cluster.url,
      shards,
    });
    const { email, accountId } = await addPerson(service, 'viewer');
    for (const subject of ['first', 'first', 'second']) {
      const profile = { ...verified(email), sub: subject };
      const { location } = await signInThroughIssuer(service, issuer, profile);
      expect(location).toBe(subject === 'first' ? '/sessions' : '/login?error=second_identity');
    }
    const where = { userId: accountId };
    expect(await service.database.prisma.accountLogin.count({ where })).toBe(1);
    await service.close();
    await issuer.close();
  });

  test('analyses tables during a long import only while the shard of its sandbox is young', async () => {
    const [, { database }] = services as [TestService, TestService];
    const client = createTransferClient(services[1] as TestService);
    const { sandbox_id } = await client.mutate('sandboxes.create', { name: 'Imported' });
    const importMany = async (count: number, name: string) => {
      const file = `${JSON.stringify({ name, item_type: 'unit' })}\n`.repeat(count);
      expect((await client.apply(sandbox_id, 'item', {}, file)).status).toBe(200);
    };
    /** Of the shard of the sandbox. */
    const countAnalyses = async () => {
      const { rows } = await database.pool.query(
        'SELECT pg_stat_get_analyze_count(tableoid)::int AS count FROM catalogue_record WHERE sandbox_id = $1 LIMIT 1',
        [sandbox_id],
      );
      return rows[0].count;
    };
    await importMany(12_000, 'First');
    expect(await countAnalyses()).toBe(1);
    await database.pool.query('ANALYZE catalogue_record');
    await importMany(501, 'Second');
    expect(await countAnalyses()).toBe(2);
  });
});
