export type { Actor } from './actor.ts';
export { type AuditEntry, appendAudit } from './audit-store.ts';
