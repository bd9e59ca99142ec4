import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    // Parallel files that write one pact lose interactions without a word.
    fileParallelism: false,
    // Starting a PostgreSQL takes seconds on a busy machine.
    testTimeout: 30_000,
    hookTimeout: 120_000,
    env: { PACT_DO_NOT_TRACK: 'true' },
    restoreMocks: true,
    unstubEnvs: true,
  },
});
