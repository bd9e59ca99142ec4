// The admin API: one tRPC router, and the services that only admins use.

export { createAnswerTexts } from './answer-texts.ts';
export { type AuditExport, createAuditExport, createPushedAudit } from './audit-export.ts';
export { createAuditExportStore } from './audit-export-store.ts';
export { createAuditStore } from './audit-list-store.ts';
export { createAuditService, toAuditViewer } from './audit-router.ts';
/** Only readers of the documents need it. */
export const loadAdminReference = () => import('./reference/build-admin-openapi.ts');
export { createOverviewService } from './overview-router.ts';
export { createOverviewStore } from './overview-store.ts';
export { hasProcedure } from './procedures.ts';
export { createAdminRouter } from './router.ts';
export { createSystemService, describeProcess } from './system-router.ts';
export { createSystemStore } from './system-store.ts';
export {
  type AdminContext,
  createBatch,
  describeCallError,
} from './trpc.ts';
