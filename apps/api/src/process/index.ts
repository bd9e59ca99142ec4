// What one process does to serve: it reaches its database, prepares it, and answers or supervises those that do.
export { explain, isExplained } from './database-failures.ts';
export { prepareDatabase } from './prepare-database.ts';
export type { ProcessParts } from './process-parts.ts';
export { reachDatabase } from './reach-database.ts';
export { serve } from './serve.ts';
export { serveByWorkers } from './serve-by-workers.ts';
