// The protection with the default limits, for tests of parts of the HTTP front.
import { createLogger, loadConfig } from '../../platform/index.ts';
import { createMetrics } from '../../telemetry/index.ts';
import { LIMITS } from '../limits.ts';
import type { ProtectionLimits } from '../protection.ts';
import { createProtection } from '../protection.ts';

export const createTestProtection = (limits: Partial<ProtectionLimits> = {}) =>
  createProtection({
    limits: {
      ...loadConfig({}).limits,
      maxPublicRequests: LIMITS.publicRequests.value,
      ...limits,
    },
    logger: createLogger('silent'),
    metrics: createMetrics({ pools: {}, process: false }),
    readiness: { isStopping: () => false },
  });
