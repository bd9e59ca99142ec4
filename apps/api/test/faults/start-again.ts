import type { FragilePostgres } from '@muster/database/testing';
import { expect } from 'vitest';

/** Starts a killed server. Its remains may prevent the start for a moment. */
export const startAgain = (server: FragilePostgres) =>
  expect
    .poll(
      () =>
        server.start().then(
          () => true,
          () => false,
        ),
      { timeout: 20_000 },
    )
    .toBe(true);
