// Prints the data of the reference pages as JSON: every metric of the registry behind /metrics, the bounds of every input of
// the admin API, the limits of the HTTP front, and the defaults of the settings.
import { z } from 'zod';
import { listProcedures } from '../src/admin/testing/list-procedures.ts';
import { createProtection } from '../src/http/index.ts';
import { COSTS, LIMITS } from '../src/http/limits.ts';
import { createLogger, createReadiness, listSettings, loadConfig } from '../src/platform/index.ts';
import { createMetrics } from '../src/telemetry/index.ts';

/** In the order in which the service registers them. */
const listMetrics = () => {
  const metrics = createMetrics({ pools: {}, process: true });
  createProtection({
    limits: { ...loadConfig({}).limits, maxPublicRequests: LIMITS.publicRequests.value },
    logger: createLogger('silent'),
    metrics,
    readiness: createReadiness({ pingDatabase: async () => {} }),
  }).overload.observeConnections(async () => 0);
  return metrics.registry.getMetricsAsArray().map((metric) => {
    // The library's types do not include labels.
    const { labelNames: labels } = metric as unknown as { labelNames: string[] };
    return { name: metric.name, type: metric.type, labels, help: metric.help };
  });
};

const listInputs = () =>
  listProcedures().map(({ name, inputs }) => ({
    name,
    schemas: inputs.map((input) => z.toJSONSchema(input, { unrepresentable: 'any', io: 'input' })),
  }));

const reference = JSON.stringify({
  metrics: listMetrics(),
  inputs: listInputs(),
  limits: Object.values(LIMITS),
  costs: COSTS,
  settings: listSettings().flatMap(({ settings }) => settings),
});
// The library observes the event loop, which would keep this process alive.
process.stdout.write(reference, () => process.exit(0));
