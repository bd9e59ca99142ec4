// The catalogue: sandboxes with their Items and Xp tables, and every edit of them as a version in one chain.
//
// What holds for the tables after every transaction, and what a program that loads them directly must keep, too:
// - catalogue_version.seq is 1..n per sandbox without a gap, both kinds together, in commit order; issued_at never
//   falls as seq rises; `version` is 1..k per record without a gap.
// - sandbox.head_seq = n, head_hash = hash of version n; item_versions and xp_versions count the versions per kind.
// - hash = hashVersion(...) with the hash of seq - 1 in the same sandbox (null before the first) and the stored text.
// - catalogue_record: one row per (sandbox, kind, record), deleted ones too; version = k, head_seq, name, snapshot and
//   updated_at are those of its newest version, created_at is of its first; deleted = the newest operation is delete;
//   folded_name = foldName(name).
// - legacy_id is the one in the snapshot and never changes once given; legacy_seq is the position that it came at.
// - changed_fields = listChangedFields(kind, snapshot of the record's version before, snapshot).
// - catalogue_name has one row per name that a record has ever had, folded by foldName, with the first position of it.
// - snapshot = writeSnapshot(kind, id, fields): the exact text, which a delete repeats from the version before.

export { afterId } from './after-id.ts';
export type { CatalogueTransaction } from './catalogue-store.ts';
export type { CatalogueWriter } from './catalogue-writer.ts';
export { listChangedFields } from './changed-fields.ts';
export { type Catalogue, type CatalogueOptions, createCatalogue } from './create-catalogue.ts';
export { foldName, toContainsPattern } from './fold-name.ts';
export { ItemInputs } from './item-inputs.ts';
export { planWrite, type WriteContext } from './plan-write.ts';
export { requireAuthority, type SandboxAuthority } from './protected-sandbox.ts';
export { confirmation, SandboxInputs } from './record-inputs.ts';
export {
  ITEM,
  type RecordFields,
  type RecordKind,
  readSnapshot,
  writeSnapshot,
  XP,
} from './record-kind.ts';
export type { RecordOperation } from './record-operation.ts';
export type { NewVersion, RecordState } from './record-state.ts';
export { visibleSandboxes } from './visible-sandboxes.ts';
export { commitVersions, openWriteContext, type WriteSources } from './write-operations.ts';
export type { PlannedWriter } from './write-planned.ts';
export { XpInputs } from './xp-inputs.ts';
