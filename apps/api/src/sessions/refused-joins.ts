// Refused joins for people: the record of each, and the list that answers why a player could not join.
import type { Database } from '@muster/database';
import type { Metrics } from '../telemetry/index.ts';
import { createRefusedJoinRecorder } from './refused-join-recorder.ts';
import { createRefusedJoinStore } from './refused-join-store.ts';

export type RefusedJoins = ReturnType<typeof createRefusedJoins>;

export const createRefusedJoins = (
  database: Pick<Database, 'pool' | 'shardRanges'>,
  metrics: Pick<Metrics, 'countRefusedJoinsRecorded' | 'countRefusedJoinsDropped'>,
  onFailure: (error: unknown) => void,
) => {
  const store = createRefusedJoinStore(database);
  const { record, flush } = createRefusedJoinRecorder({
    store,
    countRecorded: metrics.countRefusedJoinsRecorded,
    countDropped: metrics.countRefusedJoinsDropped,
    onFailure,
  });
  return { record, flush, list: store.list };
};
