import type { Database } from '@muster/database';
import { expect, test } from 'vitest';
import type { RefusedJoin } from './refusal-store.ts';
import { createRefusalRecorder } from './refusal-store.ts';

const REFUSAL: RefusedJoin = {
  sessionKey: '00000000000040008000000000000001',
  playerUuid: 'p',
  accountId: 'a',
  errorCode: 'team_full',
  desc: 'Full.',
  teamId: 0,
  at: new Date(0),
};

/** A database that is unavailable while `isDown`. */
const start = (shardRanges: unknown = {}) => {
  const database = { isDown: false };
  const query = async () => {
    if (database.isDown) throw new Error('The connection is gone.');
    return { rows: [] };
  };
  const seen = { recorded: 0, dropped: 0, failures: [] as string[] };
  const recorder = createRefusalRecorder({ pool: { query }, shardRanges } as unknown as Database, {
    countRecorded: (refusals) => (seen.recorded += refusals),
    countDropped: (refusals) => (seen.dropped += refusals),
    onFailure: (error) => seen.failures.push((error as Error).message),
  });
  const record = () => {
    recorder.record(REFUSAL);
    return recorder.flush();
  };
  return { database, record, seen };
};

test('drops and counts a refusal that cannot be written, and reports an outage once', async () => {
  const { database, record, seen } = start();
  database.isDown = true;
  await record();
  await record();
  expect(seen).toEqual({ recorded: 0, dropped: 2, failures: ['The connection is gone.'] });
  database.isDown = false;
  await record();
  database.isDown = true;
  await record();
  expect(seen).toMatchObject({ recorded: 1, dropped: 3, failures: { length: 2 } });
});

test('reports other failures, and leaves no rejection unhandled', async () => {
  const { record, seen } = start(null);
  await record();
  await record();
  expect(seen.failures).toHaveLength(2);
});
