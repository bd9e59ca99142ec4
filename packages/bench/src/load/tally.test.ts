import { expect, test } from 'vitest';
import { Tally } from './tally.ts';

test('a run is summed up by status, with the mean size of its answers', () => {
  const tally = new Tally();
  tally.count({ status: 200, hasRetryAfter: false, bytes: 2_000 }, 10);
  tally.count({ status: 200, hasRetryAfter: false, bytes: 2_400 }, 20);
  tally.count({ status: 409, hasRetryAfter: true, bytes: 100 }, 30);
  tally.count({ status: 409, hasRetryAfter: false, bytes: 100 }, 30);
  expect(tally.summarise(2, 0.5)).toMatchObject({
    requests: 4,
    statuses: { '200': 2, '409': 2 },
    refusalsWithoutRetryAfter: 1,
    answerBytes: 1_150,
    perSecond: 2,
  });
});
