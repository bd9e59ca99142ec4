// The tests that other runtimes run too: of the packages that others load on any runtime, and of the rules of the service.
// They are the same files that `npm test` runs on Node.js.
import { defineConfig } from 'vitest/config';
import { ROOT } from '../../setup/repository.mjs';

export default defineConfig({
  root: ROOT,
  test: {
    include: [
      'packages/{admin-client,contract,client,record-diff}/{src,test}/**/*.test.ts',
      'apps/api/src/**/*-rules.test.ts',
      'apps/api/src/auth/throttle.test.ts',
      'apps/api/src/catalogue/records/record.test.ts',
      // Which addresses a webhook reaches depends on the HTTP client of the runtime.
      'apps/api/src/webhooks/webhook-sender.integration.test.ts',
    ],
    // These pack a tarball with npm and build with tsdown, which are tools of the repository and run on its Node.js.
    exclude: [
      'packages/contract/test/packed.proof.test.ts',
      'packages/{client,admin-client}/test/package/**',
    ],
    // To vitest, every module that Bun has loaded looks like one that was compiled from CommonJS: it would take the default export of zod for all of it.
    deps: { interopDefault: false },
    testTimeout: 120_000,
    hookTimeout: 60_000,
    restoreMocks: true,
    unstubEnvs: true,
  },
});
