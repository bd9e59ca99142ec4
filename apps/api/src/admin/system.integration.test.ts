import type { Database } from '@muster/database';
import { openTestDatabase } from '@muster/database/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ACTOR, anItem, createTestCatalogue } from '../catalogue/testing/open-test-catalogue.ts';
import { createMetrics } from '../telemetry/index.ts';
import { createSystemService, describeProcess } from './system-router.ts';
import { createSystemStore } from './system-store.ts';

let database: Database;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

test('shows facts about the process, the database, the joins and every chain', async () => {
  const catalogue = createTestCatalogue(database);
  const { sandbox_id } = await catalogue.sandboxes.create(ACTOR, { name: 'Live' });
  const empty = await catalogue.sandboxes.create(ACTOR, { name: 'Empty' });
  await catalogue.items.create(ACTOR, { sandbox_id, ...anItem('Sword') });
  const metrics = createMetrics({ pools: { general: database.pool }, process: false });
  metrics.countJoinOutcome('joined');
  metrics.countJoinOutcome('joined');
  const system = createSystemService({
    store: createSystemStore(database),
    service: describeProcess(new Date('2026-01-01Z')),
    metrics,
    history: { read: async () => ({ interval_seconds: 60, points: [] }) },
  });
  const view = await system.get();
  expect(view.service).toEqual({
    version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    runtime: `Node.js ${process.versions.node}`,
    started: '2026-01-01T00:00:00.000Z',
    pid: process.pid,
  });
  expect(view.database.version).toMatch(/^\d+/);
  expect(view.database.size_bytes).toBeGreaterThan(1_000_000);
  expect(view.database.connections).toBeGreaterThan(0);
  expect(view.database.tables.map(({ name }) => name)).toContain('catalogue_version');
  expect(view.join_metrics).toContainEqual({
    name: 'muster_join_outcomes_total',
    help: 'Joins decided, by outcome.',
    values: [{ labels: { outcome: 'joined' }, value: 2 }],
  });
  expect(view.join_metrics.length).toBeGreaterThanOrEqual(3);
  expect(view.chains).toEqual([
    { sandbox_id: empty.sandbox_id, name: 'Empty', head_seq: 0 },
    { sandbox_id, name: 'Live', head_seq: 1, head_hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
  ]);
});
