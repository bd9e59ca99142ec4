// The service-level objectives, each measured on a service of its own that is started as an operator starts it.
import { afterAll, beforeAll, describe, test } from 'vitest';
import { LARGEST_ADMIN_REQUEST, OVERLOAD } from './objectives.ts';
import { judge } from './report.ts';
import { ADMIN_REQUESTS, runAdminRequest } from './run-admin-request.ts';
import { runAdversary } from './run-adversary.ts';
import type { MeasuredService } from './run-overload.ts';
import { measurePeak } from './run-overload.ts';
import { ADVERSARY_NAMES, SITUATIONS } from './situations.ts';
import type { Stage } from './stage.ts';
import { prepareStage } from './stage.ts';

// Another process of the machine may disturb a measurement: one that misses an objective is repeated once.
describe('service-level objectives', { retry: 1 }, () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await prepareStage();
  });
  afterAll(() => stage.remove());

  test.each(ADVERSARY_NAMES)(
    'others join while eight players abuse the service: %s',
    async (name) => {
      judge(await runAdversary(stage, name), SITUATIONS[name].objectives);
    },
  );

  test.each(['one service key that floods', '1,000 idle connections'] as const)(
    'players join beside %s',
    async (name) => {
      judge(await runAdversary(stage, name), SITUATIONS[name].objectives);
    },
  );

  describe('under overload', () => {
    let service: MeasuredService;
    beforeAll(async () => {
      service = await measurePeak(stage);
    });
    afterAll(() => service.stop());

    test.each([3, 10] as const)(
      'most of the peak throughput is served at %i times of it',
      async (times) => {
        judge(await service.overload(times), OVERLOAD[times]);
      },
    );
  });

  test.each(ADMIN_REQUESTS)('others are answered during the largest request: %s', async (kind) => {
    judge(await runAdminRequest(stage, kind), LARGEST_ADMIN_REQUEST);
  });
});
