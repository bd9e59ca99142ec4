import cluster from 'node:cluster';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ConfigError, StartError } from './errors.ts';
import { assertWorkersPossible, superviseWorkers } from './workers.ts';

test('Node.js can have workers', () => {
  expect(() => assertWorkersPossible()).not.toThrow();
});

test.each(['bun', 'deno'])('the refusal for %s names an alternative', (runtime) => {
  expect(() => assertWorkersPossible({ node: '24.0.0', [runtime]: '1.0.0' })).toThrow(ConfigError);
  expect(() => assertWorkersPossible({ [runtime]: '1.0.0' })).toThrow(/load balancer/);
});

test('a process that the system does not give is a worker that ended', async () => {
  cluster.setupPrimary({ cwd: join(import.meta.dirname, 'missing') });
  const workers = superviseWorkers({ count: 1, environment: {}, onTrouble: () => {} });
  await expect(workers.ready).rejects.toThrow(StartError);
  await expect(workers.ready).rejects.toThrow(
    /^Worker 0 ended before it served \(spawn .* ENOENT\)\.$/,
  );
  await workers.stop();
});
