// History for people: versions by who, what, when and which field, their differences, and a sandbox as of a moment.
export { type AsOfService, createAsOfService } from './as-of-service.ts';
export { createAsOfStore } from './as-of-store.ts';
export { VersionFilterInput } from './version-filter.ts';
export { createVersionService, type VersionService } from './version-service.ts';
export type { VersionWalk } from './version-statements.ts';
export { createVersionStore } from './version-store.ts';
