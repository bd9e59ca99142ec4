import { expect, test } from 'vitest';
import { ConfigError } from './errors.ts';
import { assertWorkersPossible } from './workers.ts';

test('Node.js can have workers', () => {
  expect(() => assertWorkersPossible()).not.toThrow();
});

test.each(['bun', 'deno'])('%s is told what to do instead', (runtime) => {
  expect(() => assertWorkersPossible({ node: '24.0.0', [runtime]: '1.0.0' })).toThrow(ConfigError);
  expect(() => assertWorkersPossible({ [runtime]: '1.0.0' })).toThrow(/load balancer/);
});
