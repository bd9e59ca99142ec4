// A service with rate limits, whose clock changes only when a test moves it.
import { afterAll, beforeAll, beforeEach, vi } from 'vitest';
import type { Config } from '../../src/platform/index.ts';
import type { TestService } from '../test-service.ts';
import { startTestService } from '../test-service.ts';

export type RateLimitedService = {
  service: TestService;
  moveClock(milliseconds: number): void;
};

/** Registers the hooks of the file. Use the result in tests. */
export const startRateLimitedService = (
  limits: Pick<Partial<Config['limits']>, 'playerRateLimit' | 'rateLimit'>,
): RateLimitedService => {
  let service: TestService;
  let now: number;
  beforeAll(async () => {
    service = await startTestService({ limits });
  });
  beforeEach(() => {
    now = performance.now();
    vi.spyOn(performance, 'now').mockImplementation(() => now);
  });
  afterAll(() => service.close());
  return {
    get service() {
      return service;
    },
    moveClock: (milliseconds) => {
      now += milliseconds;
    },
  };
};
