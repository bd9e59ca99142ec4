// The system page: this process, its database, and the chains to keep the heads of.
export { describeProcess } from './describe-process.ts';
export { createSystemService, type SystemService } from './system-service.ts';
export { createSystemStore } from './system-store.ts';
