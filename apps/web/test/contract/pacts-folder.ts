import { fileURLToPath } from 'node:url';

/** Ignored by git: `npm run pacts` copies what is written here into contracts/pacts. */
export const PACTS = fileURLToPath(new URL('../../pacts/', import.meta.url));
