// A consumer's configuration, as the documentation shows it.
import { defineConfig } from 'vitest/config';
import { pactPreset } from '../../src/preset/index.ts';

export default defineConfig(
  pactPreset({
    pacts: process.env.CONSUMER_PACTS ?? 'pacts',
    include: (process.env.CONSUMER_TESTS ?? '').split(','),
  }),
);
