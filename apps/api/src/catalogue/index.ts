// The catalogue: sandboxes with their Items and Xp tables, and every edit of them as a version in one chain.
//
// Invariants of the tables after every transaction, also for programs that load them directly:
// - catalogue_version.seq is 1..n per sandbox without a gap, both kinds together, in commit order; issued_at never
//   falls as seq rises; `version` is 1..k per record without a gap.
// - The versions of one transaction_id in a sandbox have consecutive positions.
// - sandbox.head_seq = n, head_hash = hash of version n; item_versions and xp_versions count the versions per kind.
// - hash = hashVersion(...) with the hash of seq - 1 in the same sandbox (null before the first) and the stored text.
// - catalogue_record: one row per (sandbox, kind, record), including deleted ones; version = k, head_seq, name,
//   snapshot and updated_at are those of its newest version, created_at is of its first; deleted = the newest operation is delete;
//   folded_name = foldName(name).
// - legacy_id is the one in the snapshot and never changes once set; legacy_seq is the position at which it was set.
// - changed_fields = listChangedFields(kind, snapshot of the record's previous version, snapshot).
// - catalogue_name has one row per name that a record has ever had, folded by foldName, with its first position.
// - snapshot = writeSnapshot(kind, id, fields): the exact text; a delete repeats that of the previous version.
export { type Catalogue, createCatalogue } from './catalogue.ts';
export { ReviewInputs } from './change-sets/change-set-review.ts';
export { CHANGE_SET_STATES } from './change-sets/change-set-rules.ts';
export { createChangeSetScheduler } from './change-sets/change-set-scheduler.ts';
export type { CompareService } from './compare/compare-service.ts';
export type { ComparePosition } from './compare/compare-store.ts';
export { openSandbox } from './edits/catalogue-store.ts';
export {
  type NewVersion,
  planWrite,
  type RecordOperation,
  type RecordState,
} from './edits/edit-rules.ts';
export type { Reader } from './history/history-reader.ts';
export { createHistoryRoutes } from './history/history-route.ts';
export type { Export, ExportRequest, ExportService } from './import-export/export-service.ts';
export { type ColumnMapping, mappedColumns } from './import-export/file-columns.ts';
export type { ImportAnswer, ImportRequest, ImportService } from './import-export/import-service.ts';
export { MAX_FILE_BYTES, tooLarge } from './import-export/stored-file.ts';
export { NO_SCHEMAS } from './item-schemas/item-schema-rules.ts';
export { ItemSchemaInputs } from './item-schemas/item-schema-service.ts';
export type { SearchService } from './lists/search-service.ts';
export { ViewInputs } from './lists/view-service.ts';
export { cutPage, hasRoom, type Pagination } from './pagination.ts';
export {
  foldName,
  ITEM,
  writeSnapshot,
  XP,
} from './records/record.ts';
export {
  ChangeSetInputs,
  confirmation,
  EditInputs,
  ItemInputs,
  SandboxInputs,
  VersionFilterInput,
  XpInputs,
} from './records/record-inputs.ts';
export { createSandboxPurge } from './sandboxes/sandbox-purge.ts';
export { createSandboxPurgeStore } from './sandboxes/sandbox-purge-store.ts';
export type { SandboxAuthority } from './sandboxes/sandbox-rules.ts';
export type { VerificationService } from './verification/verification-service.ts';
