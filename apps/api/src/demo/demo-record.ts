// One record of the demo while its history is made up, and the versions that this leaves.
import type { HistoryOperation } from '@muster/contract';
import type { ITEM, XP } from '../catalogue/index.ts';
import { writeSnapshot } from '../catalogue/index.ts';
import type { ItemFields } from './demo-items.ts';
import type { XpFields } from './demo-xp-tables.ts';

/** A version as the store needs it; position, chain and counters follow from the order of the list. */
export type DemoVersion = {
  kind: 'item' | 'xp';
  recordId: string;
  /** From 1 per record. */
  version: number;
  versionId: string;
  transactionId: string;
  operation: HistoryOperation;
  accountId: string;
  reason: string | undefined;
  issuedAt: Date;
  name: string;
  legacyId: number | undefined;
  snapshot: string;
};

export type DemoRecord<Fields = ItemFields | XpFields> = {
  kind: typeof ITEM | typeof XP;
  id: string;
  /** Place in the whole list. */
  index: number;
  /** What it holds now; before its insert, what it will begin with. */
  fields: Fields;
  deleted: boolean;
  /** Snapshot of the newest version; empty before the first. */
  snapshot: string;
  /** The fields of every version, oldest first. */
  past: Fields[];
};

export type DemoChange<Fields = ItemFields | XpFields> = {
  record: DemoRecord<Fields>;
  operation: HistoryOperation;
  fields: Fields;
};

/** Who, when and why: what all versions of one transaction share. */
export type DemoEdit = {
  transactionId: string;
  accountId: string;
  reason: string | undefined;
  issuedAt: Date;
  newId: () => string;
};

/** Null when an update changes nothing: such an edit writes nothing. */
export const applyChange = (
  { record, operation, fields }: DemoChange,
  { newId, ...edit }: DemoEdit,
): DemoVersion | null => {
  const snapshot = writeSnapshot(record.kind, record.id, fields);
  if (operation === 'update' && snapshot === record.snapshot) return null;
  record.fields = fields;
  record.deleted = operation === 'delete';
  record.snapshot = snapshot;
  record.past.push(fields);
  return {
    ...edit,
    kind: record.kind.kind,
    recordId: record.id,
    version: record.past.length,
    versionId: newId(),
    operation,
    name: fields.name,
    legacyId: legacyIdOf(fields),
    snapshot,
  };
};

const legacyIdOf = (fields: ItemFields | XpFields): number | undefined =>
  'item_type' in fields ? fields.legacy_item_id : fields.legacy_xp_id;
