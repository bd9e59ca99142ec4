import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { createRefusedJoinRecorder, MAX_PER_ACCOUNT } from './refused-join-recorder.ts';

test('an account that names any number of players causes a bounded number of rows an hour', async () => {
  const counts = { recorded: 0, dropped: {} as Record<string, number> };
  let now = new Date('2026-11-29T14:05:00Z');
  const { record, flush } = createRefusedJoinRecorder({
    store: { groupOf: () => 0, record: async () => {} },
    countRecorded: (refusals) => (counts.recorded += refusals),
    countDropped: (refusals, reason) => {
      counts.dropped[reason] = (counts.dropped[reason] ?? 0) + refusals;
    },
    onFailure: () => {},
    now: () => now,
  });
  const refuse = async (times: number) => {
    for (let count = 0; count < times; count += 1) {
      record({
        caller: { accountId: 'matchmaker', permissions: ['session:update-player:any'] },
        platform: 'PSN',
        platformSessionId: 'bm9uZQ',
        player: randomUUID(),
        errorCode: 'platform_session_not_found',
        sentence: '',
        requestId: '',
      });
      if (count % 500 === 499) await flush();
    }
    await flush();
  };
  await refuse(MAX_PER_ACCOUNT + 100);
  expect(counts).toEqual({ recorded: MAX_PER_ACCOUNT, dropped: { account_limit: 100 } });
  now = new Date('2026-11-29T15:00:00Z');
  await refuse(1);
  expect(counts.recorded).toBe(MAX_PER_ACCOUNT + 1);
});
