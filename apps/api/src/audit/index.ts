// The audit trail: one record per change, appended in the transaction of that change, and the list of them.
export type { Actor } from './actor.ts';
export type { AuditPosition } from './audit-list-store.ts';
export { createAuditListStore } from './audit-list-store.ts';
export { type AuditService, createAuditService } from './audit-service.ts';
export { type AuditEntry, appendAudit } from './audit-store.ts';
export { createAuditTargetStore } from './audit-target-store.ts';
