// Inputs of the admin procedures on records; Items and Xp tables only differ in their id and their fields.
import {
  boundedList,
  CUSTOM_FIELD,
  DateTimeInput,
  HistoryOperation,
  ItemType,
  itemInputs,
  NewRecordName,
  recordWhere,
  text,
  Uuid,
  xpInputs,
} from '@muster/contract';
import { z } from 'zod';
import { matchingRecords } from '../bulk-edits/record-edit-inputs.ts';
import { MAX_APPROVALS } from '../change-sets/change-set-review-rules.ts';
import { CHANGE_SET_STATES } from '../change-sets/change-set-rules.ts';

const MAX_BULK_OPERATIONS = 1000;
const MAX_PAGE_SIZE = 200;
const DEFAULT_PAGE_SIZE = 50;

const Reason = text(1, 1000)
  .optional()
  .meta({ description: 'The reason, shown with the version.' });
/** Required for destructive actions in a protected sandbox, and ignored otherwise. */
export const confirmation = {
  confirm_sandbox_name: text(1, 256)
    .optional()
    .meta({ description: 'The name of the protected sandbox, typed as a confirmation.' }),
};

const ExpectedVersion = z
  .int()
  .min(1)
  .meta({ description: 'The version on which the edit is based.' });

/** Cursors of admin lists are opaque, and contain names. */
const listInput = {
  name: text(0, 256).optional().meta({ description: 'Contained in the name, case-insensitive.' }),
  cursor: text(1, 8192).optional(),
  page_size: z.int().min(1).max(MAX_PAGE_SIZE).default(DEFAULT_PAGE_SIZE),
};

const CustomSort = text(CUSTOM_FIELD.length + 1, CUSTOM_FIELD.length + 128)
  .regex(/^custom_data\./, 'Must be a column, or custom_data. and a key')
  .pipe(z.templateLiteral([CUSTOM_FIELD, z.string()]))
  .meta({
    description:
      '`custom_data.` and a key: its numbers, then its other texts by their first 257 characters, then the records without it, also in descending order. Ties are sorted by id.',
    examples: ['custom_data.price'],
  });

/**
 * All fields of `patch` are optional, without defaults: an absent field is unchanged, null clears an optional one, and
 * lists and maps are replaced as a whole.
 */
const recordInputs = <
  Id extends z.ZodRawShape,
  Fields extends z.ZodRawShape,
  Patch extends z.ZodRawShape,
  Filters extends z.ZodRawShape,
  Sort extends z.ZodType,
  Kind extends 'item' | 'xp',
>(
  kind: Kind,
  id: Id,
  fields: Fields,
  patch: Patch,
  filters: Filters,
  sort: Sort,
) => {
  const edit = { ...id, expected_version: ExpectedVersion, reason: Reason };
  const create = z.object({ ...z.object(id).partial().shape, ...fields, reason: Reason });
  const update = z.object({ ...edit, ...patch });
  const remove = z.object(edit);
  const restore = z.object({ ...edit, version_id: Uuid.optional() });
  const operation = z.discriminatedUnion('operation', [
    create.extend({ operation: z.literal('create') }),
    update.extend({ operation: z.literal('update') }),
    remove.extend({ operation: z.literal('delete') }),
    restore.extend({ operation: z.literal('restore') }),
  ]);
  // The versions of a change set have the reason of the set.
  const based = { ...id, kind: z.literal(kind), expected_version: ExpectedVersion };
  const planned = z.discriminatedUnion('operation', [
    z.object({
      ...z.object(id).partial().shape,
      ...fields,
      kind: z.literal(kind),
      operation: z.literal('create'),
    }),
    z.object({ ...based, ...patch, operation: z.literal('update') }),
    z.object({ ...based, operation: z.literal('delete') }),
    z.object({ ...based, version_id: Uuid.optional(), operation: z.literal('restore') }),
  ]);
  const listFilters = {
    name: listInput.name,
    include_deleted: z.boolean().default(false),
    only_deleted: z.boolean().optional().meta({ description: 'The trash.' }),
    custom_key: text(1, 128).optional().meta({ description: 'A key of custom_data.' }),
  };
  return {
    /** An operation of a change set. */
    planned,
    /** The records that a change set changes. */
    matching: matchingRecords(kind, { ...listFilters, ...filters }),
    create,
    update,
    delete: remove.extend(confirmation),
    restore: restore.extend(confirmation),
    get: z.object(id),
    list: z.object({
      ...listInput,
      ...listFilters,
      order: z.enum(['asc', 'desc']).optional(),
      ...filters,
      sort: z.union([sort, CustomSort]).optional(),
    }),
    bulk: z.object({
      ...confirmation,
      operations: boundedList(operation, { min: 1, max: MAX_BULK_OPERATIONS }),
      reason: Reason.meta({ description: 'For every operation without its own reason.' }),
    }),
  };
};

export const SandboxInputs = {
  update: z.object({
    name: NewRecordName.optional(),
    protected: z.boolean().optional(),
    required_approvals: z
      .int()
      .min(0)
      .max(MAX_APPROVALS)
      .optional()
      .meta({ description: 'How many people have to approve a change before it is written.' }),
    ...confirmation,
  }),
  create: z.object({ name: NewRecordName, sandbox_id: Uuid.optional() }),
  /** Deleting always needs the name; archiving only in a protected sandbox. */
  confirmed: z.object(confirmation),
  list: z.object({
    status: z.enum(['active', 'archived', 'deleted']).default('active'),
    cursor: listInput.cursor,
    page_size: listInput.page_size,
  }),
};

/** Written out, since zod applies a default inside an optional field: a patch would clear fields that it does not name. */
const itemPatch = {
  legacy_item_id: itemInputs.legacy_item_id.nullable(),
  name: itemInputs.name.optional(),
  description: itemInputs.description.nullable(),
  item_type: itemInputs.item_type.optional(),
  tags: itemInputs.tags.unwrap().optional(),
  level_xp_table_id: itemInputs.level_xp_table_id.nullable(),
  custom_data: itemInputs.custom_data.unwrap().optional(),
};

const itemFilters = {
  item_type: ItemType.optional(),
  tag: text(1, 128).optional(),
  where: recordWhere('item').optional(),
};

export const ItemInputs = recordInputs(
  'item',
  { item_id: Uuid },
  itemInputs,
  itemPatch,
  itemFilters,
  z.enum(['name', 'item_type', 'version', 'updated']),
);

/** Written out, since zod applies a default inside an optional field: a patch would clear fields that it does not name. */
const xpPatch = {
  legacy_xp_id: xpInputs.legacy_xp_id.nullable(),
  name: xpInputs.name.optional(),
  description: xpInputs.description.nullable(),
  xp_thresholds: xpInputs.xp_thresholds.optional(),
  custom_data: xpInputs.custom_data.unwrap().optional(),
};

const xpFilters = { where: recordWhere('xp').optional() };
/** `levels` is the number of thresholds, `top` the Xp of the last one. */
const XpSort = z.enum(['name', 'levels', 'top', 'version', 'updated']);

export const XpInputs = recordInputs('xp', { xp_id: Uuid }, xpInputs, xpPatch, xpFilters, XpSort);

const Title = NewRecordName.meta({ description: 'What the changes are for.' });
const SetReason = text(1, 1000).meta({ description: 'The reason, shown with the versions.' });
const set = { change_set_id: Uuid };
const expected_revision = z
  .int()
  .min(1)
  .meta({ description: 'The `revision` of the change set on which the call is based.' });
const state = z
  .enum(CHANGE_SET_STATES)
  .optional()
  .meta({ description: 'Only change sets in this state.' });
const undo = { title: Title.optional(), reason: SetReason.optional() };
const RecordName = z.object({ kind: z.enum(['item', 'xp']), record_id: Uuid });

export const EditInputs = {
  revert: z.object({ transaction_id: Uuid, ...undo }),
};

export const ChangeSetInputs = {
  create: z.object({
    change_set_id: Uuid.optional(),
    title: Title,
    reason: SetReason.optional(),
  }),
  get: z.object(set),
  list: z.object({
    state,
    needs_attention: z.boolean().optional().meta({
      description: 'Whether the set has a failure that is not acknowledged yet.',
    }),
  }),
  update: z.object({
    ...set,
    title: Title.optional(),
    reason: SetReason.nullable().optional(),
    expected_revision,
  }),
  addOperations: z.object({
    ...set,
    expected_revision: expected_revision.optional(),
    operations: boundedList(z.discriminatedUnion('kind', [ItemInputs.planned, XpInputs.planned]), {
      min: 1,
      max: MAX_BULK_OPERATIONS,
    }).meta({ description: 'One for each record. A later operation replaces an earlier one.' }),
  }),
  addMatching: z.object({
    ...set,
    expected_revision: expected_revision.optional(),
    matching: z
      .discriminatedUnion('kind', [ItemInputs.matching, XpInputs.matching])
      .meta({ description: 'Which records are changed, and how.' }),
  }),
  removeOperations: z
    .object({
      ...set,
      expected_revision: expected_revision.optional(),
      records: boundedList(RecordName, { min: 1, max: MAX_BULK_OPERATIONS })
        .optional()
        .meta({ description: 'The records whose operations are removed.' }),
      not_computable: z.literal(true).optional().meta({
        description: 'Removes the operations of `addMatching` that could not be computed.',
      }),
    })
    .refine(({ records, not_computable }) => (records ?? not_computable) !== undefined, {
      message: 'Either records or not_computable',
      path: ['records'],
    }),
  cancel: z.object({
    ...set,
    expected_revision: expected_revision.optional(),
    discard: z.boolean().optional().meta({
      description: 'Deletes a draft, unless it has comments, instead of keeping it in the list.',
    }),
  }),
  schedule: z.object({
    ...set,
    expected_revision,
    apply_at: DateTimeInput.meta({
      description: 'When the set is applied. At most a year from now.',
    }),
    return_at: DateTimeInput.optional().meta({
      description: 'When it is reverted. Absent: it stays applied.',
    }),
    ...confirmation,
  }),
  unschedule: z.object({ ...set, expected_revision }),
  acknowledge: z.object(set),
  revert: z.object({ ...set, ...undo }),
  restorePast: z.object({
    kind: z.enum(['item', 'xp']),
    at: DateTimeInput.meta({ description: 'The moment to which the records return.' }),
    record_ids: boundedList(Uuid, { min: 1, max: MAX_BULK_OPERATIONS })
      .optional()
      .meta({ description: 'Only these records. Without it, all that match.' }),
    name: text(0, 256).optional().meta({ description: 'Contained in its name at that time.' }),
    ...undo,
  }),
  promote: z.object({
    kind: z.enum(['item', 'xp']),
    record_ids: boundedList(Uuid, { min: 1, max: MAX_BULK_OPERATIONS }).optional().meta({
      description: 'Only these records. Without it, all that differ or that only the source has.',
    }),
    status: z.enum(['only_source', 'different']).optional().meta({
      description: 'Without `record_ids`: only those that the comparison lists with this status.',
    }),
    include_referenced: z.boolean().default(false),
    ...undo,
  }),
  preview: z.object({
    ...set,
    only_problems: z.boolean().optional(),
    only_warnings: z.boolean().optional(),
  }),
  apply: z.object({
    ...set,
    expected_revision,
    bypass_reason: text(1, 1000)
      .optional()
      .meta({ description: 'Why an owner applies it without the approvals that are required.' }),
    ...confirmation,
  }),
};

/** Every field that a version can change: each has its index. */
const ChangedField = z.enum([
  'legacy_item_id',
  'legacy_xp_id',
  'name',
  'description',
  'item_type',
  'tags',
  'level_xp_table_id',
  'xp_thresholds',
  'custom_data',
]);

/** The filters of versions.list; they combine with AND. */
export const VersionFilterInput = z.object({
  kind: z.enum(['item', 'xp']).optional(),
  record_id: Uuid.optional(),
  account_id: text(1, 256).optional(),
  operation: HistoryOperation.optional(),
  transaction_id: Uuid.optional(),
  name: text(0, 256)
    .optional()
    .meta({ description: 'Contained in any name that the record has had, case-insensitive.' }),
  changed_field: ChangedField.optional(),
  from: DateTimeInput.optional(),
  to: DateTimeInput.optional().meta({ description: 'Not included.' }),
});
export type VersionFilter = z.output<typeof VersionFilterInput>;
