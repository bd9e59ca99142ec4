import { pactPreset } from '@muster/pact-kit/vitest';
import { defineConfig } from 'vitest/config';

export default defineConfig(pactPreset({ pacts: 'pacts', include: ['test/**/*.test.ts'] }));
