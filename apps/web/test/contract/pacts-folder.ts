import { fileURLToPath } from 'node:url';

/** Ignored by git: `node scripts/run.mjs pacts` copies what is written here into contracts/pacts. */
export const PACTS = fileURLToPath(new URL('../../pacts/', import.meta.url));
