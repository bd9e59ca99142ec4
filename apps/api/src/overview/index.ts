// The overview of one sandbox.
export { createOverviewService, type OverviewService } from './overview-service.ts';
export { createOverviewStore } from './overview-store.ts';
