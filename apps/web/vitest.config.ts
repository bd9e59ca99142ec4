import { fileURLToPath } from 'node:url';
import { pactPreset } from '@muster/pact-kit/vitest';
import { defineConfig } from 'vitest/config';

const PACT_TESTS = 'test/**/*.pact.test.ts';

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'web',
          include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
          exclude: [PACT_TESTS],
          globalSetup: ['test/start/build-once.ts', '@muster/database/testing/global-setup'],
          // A real browser before a real service on a busy machine; a test that hangs still ends.
          testTimeout: 120_000,
          hookTimeout: 120_000,
          // A condition is waited for as long as a page of a busy machine may take.
          expect: { poll: { timeout: 20_000 } },
          restoreMocks: true,
          unstubEnvs: true,
        },
      },
      {
        // The client is published as built files; its source needs no build before ours.
        resolve: {
          alias: {
            '@muster/client': fileURLToPath(
              new URL('../../packages/client/src/index.ts', import.meta.url),
            ),
          },
        },
        test: { name: 'pact', ...pactPreset({ pacts: 'pacts', include: [PACT_TESTS] }).test },
      },
    ],
  },
});
