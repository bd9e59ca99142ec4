import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: ['./src/testing/global-setup.ts'],
    restoreMocks: true,
    unstubEnvs: true,
  },
});
