import { defineConfig } from 'vitest/config';

// Screenshots use the test harness but are not tests. Only `node scripts/run.mjs screenshots` takes them.
export default defineConfig({
  test: {
    include: ['test/screenshots/take-*.ts'],
    globalSetup: ['test/support/build-once.ts', '@muster/database/testing/global-setup'],
    testTimeout: 600_000,
    hookTimeout: 120_000,
  },
});
