import { defineConfig } from 'vitest/config';

// Pictures are made with the harness of the tests, but are none: `npm run screenshots` alone takes them.
export default defineConfig({
  test: {
    include: ['test/screenshots/take-*.ts'],
    globalSetup: ['test/support/build-once.ts', '@muster/database/testing/global-setup'],
    testTimeout: 600_000,
    hookTimeout: 120_000,
  },
});
