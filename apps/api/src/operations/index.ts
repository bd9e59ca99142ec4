// Work on the whole service: maintenance, and the deletion of data that is past its retention.

export {
  createMaintenance,
  DEFAULT_RETRY_AFTER_SECONDS,
  MAX_MAINTENANCE_REASON,
  MAX_RETRY_AFTER_SECONDS,
  type Maintenance,
  type MaintenanceState,
  readMaintenance,
  setMaintenance,
} from './maintenance.ts';
export { createRetention } from './retention.ts';
export { createRetentionStore } from './retention-store.ts';
