// What the OpenAPI document says about a procedure besides its input and permission, and the schemas that many outputs contain.
import type { ErrorCode } from '@muster/contract';
import { ItemType, XpThreshold } from '@muster/contract';
import { z } from 'zod';

export type ProcedureReference = {
  /** One line, in the imperative. */
  summary: string;
  /** What a caller has to know besides the input. */
  description?: string;
  /** The schema of `result.data`; absent when there is none. Tests compare it with every response. */
  output?: z.ZodType;
  /** The refusals of its own. COMMON_ERRORS of the document belong to every procedure. */
  errors?: readonly ErrorCode[];
};

/** The refusals of every procedure that needs a credential. */
export const AUTHENTICATION_ERRORS = [
  'auth_missing',
  'auth_not_jwt',
  'auth_token_format',
  'auth_token_sig_invalid',
  'auth_token_expired',
  'auth_token_invalid_claim',
  'auth_token_unknown',
  'auth_token_too_large',
  'auth_session_ended',
  'origin_refused',
  'password_change_required',
  'insufficient_permissions',
] as const satisfies readonly ErrorCode[];

/** A UUID as responses write it. */
export const Id = z.string().meta({ format: 'uuid' });
/** RFC 3339, UTC. */
export const Time = z.string().meta({ format: 'date-time' });
export const Count = z.int().min(0);

export const PageMeta = z
  .strictObject({
    page_size: z.int().min(1),
    cursor: z
      .string()
      .optional()
      .meta({ description: 'Of the next page; absent on the last one.' }),
  })
  .meta({ id: 'AdminPageMeta', description: 'The page of a list.' });

export const CountedPageMeta = PageMeta.extend({
  total: Count.optional().meta({ description: 'Absent where counting would cost too much.' }),
}).meta({ id: 'CountedPageMeta', description: 'The page of a list, and how long the list is.' });

export const Counted = z
  .strictObject({
    count: Count,
    is_exact: z.boolean().meta({ description: 'False when there are at least as many.' }),
  })
  .meta({ id: 'Counted', description: 'How many entries match; counting stops at a limit.' });

export const Deleted = z.strictObject({ deleted: z.literal(true) }).meta({ id: 'Deleted' });

export const RecordKind = z
  .enum(['item', 'xp'])
  .meta({ id: 'RecordKind', description: 'Items or Xp tables.' });

export const Operation = z
  .enum(['insert', 'update', 'delete', 'restore'])
  .meta({ id: 'Operation', description: 'What a version did to its record.' });

/** Without the bounds of inputs: a stored map may be older than them. */
const Strings = z
  .record(z.string(), z.string())
  .meta({ id: 'Strings', description: 'Strings by name, for games to use.' });

const itemMembers = {
  item_id: Id,
  legacy_item_id: z.int().optional(),
  name: z.string(),
  description: z.string().optional(),
  item_type: ItemType,
  tags: z.array(z.string()),
  level_xp_table_id: Id.optional().meta({ description: 'The Xp table that levels this Item.' }),
  custom_data: Strings,
};

const xpMembers = {
  xp_id: Id,
  legacy_xp_id: z.int().optional(),
  name: z.string(),
  description: z.string().optional(),
  xp_thresholds: z.array(XpThreshold),
  custom_data: Strings,
};

const versionMembers = {
  version: z.int().min(1).meta({ description: 'What an edit names as `expected_version`.' }),
  version_id: Id,
  transaction_id: Id,
  created: Time,
  updated: Time,
  deleted: z.literal(true).optional(),
};

export const ItemRecord = z
  .strictObject({ ...itemMembers, ...versionMembers })
  .meta({ id: 'ItemRecord', description: 'An Item with its present version.' });

export const XpRecord = z
  .strictObject({ ...xpMembers, ...versionMembers })
  .meta({ id: 'XpRecord', description: 'An Xp table with its present version.' });

/** A record as it is stored with a version. */
export const StoredRecord = z
  .union([
    z.strictObject(itemMembers).meta({ id: 'StoredItem' }),
    z.strictObject(xpMembers).meta({ id: 'StoredXp' }),
  ])
  .meta({ id: 'StoredRecord', description: 'A whole Item or Xp table, as it was at one version.' });

export const FieldChange = z
  .strictObject({
    path: z.array(z.union([z.string(), z.int()])).meta({
      description:
        'Names elements by identity: `["tags", "rare"]`, `["xp_thresholds", 5]` (the level), `["custom_data", "damage"]`.',
    }),
    label: z.string().meta({ description: 'The path for people.' }),
    change: z.enum(['added', 'removed', 'changed']),
    before: z.unknown().optional(),
    after: z.unknown().optional(),
  })
  .meta({ id: 'FieldChange', description: 'One difference between two records.' });

export const VersionEntry = z
  .strictObject({
    seq: Count.meta({ description: 'The position in the history of the sandbox.' }),
    version_id: Id,
    previous_version_id: Id.optional(),
    transaction_id: Id,
    kind: RecordKind,
    record_id: Id,
    version: z.int().min(1),
    operation: Operation,
    account_id: z.string(),
    reason: z.string().optional(),
    issued_at: Time,
    name: z.string().meta({ description: 'The name of the record at this version.' }),
    changed_fields: z.array(z.string()).meta({
      description: 'All fields for an insert, none for a delete.',
    }),
  })
  .meta({ id: 'VersionEntry', description: 'One version of one record.' });
