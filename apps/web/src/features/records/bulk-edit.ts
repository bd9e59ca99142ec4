// Computes the result of one edit for many records. Pure.

import { checkFields, toPatch } from './draft.ts';
import type { RecordFields, RecordKind, StoredRecord } from './record-kind.ts';
import { readFields } from './record-kind.ts';

export const NO_EDIT = {
  /** Null: unchanged. */
  itemType: null as string | null,
  addTags: [] as string[],
  removeTags: [] as string[],
  /** A tag that is typed but not confirmed with Enter yet. Saving and the preview include it. */
  addTyped: '',
  removeTyped: '',
  setKey: '',
  setValue: '',
  removeKey: '',
};

export type BulkEdit = typeof NO_EDIT;

export type PlannedEdit = {
  record: StoredRecord;
  before: RecordFields;
  after: RecordFields;
  patch: RecordFields;
  /** The reason why the service would reject the record, in the service's words. */
  problem?: string;
};

/** Only the records that change. */
export const planBulkEdit = (
  kind: RecordKind,
  records: readonly StoredRecord[],
  edit: BulkEdit,
): PlannedEdit[] =>
  records.flatMap((record) => {
    const before = readFields(kind, record);
    const after = applyBulkEdit(before, edit);
    const patch = toPatch(kind, before, after);
    if (Object.keys(patch).length === 0) return [];
    const [first] = checkFields(kind.schema, after);
    const problem = first && `${first.loc.slice(1).join('.')}: ${first.msg}.`;
    return [{ record, before, after, patch, ...(problem && { problem }) }];
  });

const applyBulkEdit = (fields: RecordFields, edit: BulkEdit): RecordFields => {
  const after: Record<string, unknown> = { ...fields };
  if (edit.itemType !== null) after.item_type = edit.itemType;
  const added = withTyped(edit.addTags, edit.addTyped);
  const removed = new Set(withTyped(edit.removeTags, edit.removeTyped));
  if (added.length + removed.size > 0) {
    const kept = ((fields.tags as string[] | undefined) ?? []).filter((tag) => !removed.has(tag));
    after.tags = [...kept, ...added.filter((tag) => !kept.includes(tag))];
  }
  const data = new Map(Object.entries((fields.custom_data ?? {}) as Record<string, string>));
  if (edit.removeKey !== '') data.delete(edit.removeKey);
  if (edit.setKey !== '') data.set(edit.setKey, edit.setValue);
  after.custom_data = Object.fromEntries(data);
  return after;
};

const withTyped = (tags: readonly string[], typed: string): string[] => {
  const tag = typed.trim();
  return tag === '' || tags.includes(tag) ? [...tags] : [...tags, tag];
};
