// Sandboxes, Items, Xp tables, their versions, comparison and promotion.
import { z } from 'zod';
import type { ProcedureReference } from './procedure.ts';
import {
  Count,
  CountedPageMeta,
  FieldChange,
  Id,
  ItemRecord,
  Operation,
  PageMeta,
  StoredRecord,
  Time,
  VersionEntry,
  XpRecord,
} from './procedure.ts';

const HeadHash = z.string().optional().meta({
  description:
    'SHA-256 of the newest version, in hexadecimal. Kept elsewhere, it proves the history.',
});

const Sandbox = z
  .strictObject({
    sandbox_id: Id,
    name: z.string(),
    protected: z.boolean(),
    required_approvals: Count.meta({
      description: 'How many people have to approve a change before it is written.',
    }),
    created: Time,
    archived: Time.optional(),
    deleted: Time.optional(),
    head_seq: Count.meta({ description: 'The newest position of the history.' }),
    head_hash: HeadHash,
    item_versions: Count,
    xp_versions: Count,
  })
  .meta({ id: 'Sandbox' });

const CONFIRMED = [
  'sandbox_not_found',
  'sandbox_archived',
  'sandbox_busy',
  'sandbox_protected',
  'sandbox_confirmation_required',
] as const;
const EDIT_ERRORS = [
  ...CONFIRMED,
  'record_not_found',
  'record_exists',
  'record_deleted',
  'record_version_conflict',
  'legacy_id_taken',
  'version_not_found',
  'review_required',
  'custom_data_invalid',
] as const;

/** Items and Xp tables have the same procedures. */
const describeRecords = (
  article: string,
  name: string,
  record: z.ZodType,
  edited: z.ZodType = record,
) =>
  ({
    create: { summary: `Create ${article} ${name}`, output: edited, errors: EDIT_ERRORS },
    update: {
      summary: `Change ${article} ${name}`,
      description: 'An absent field is unchanged, null clears it.',
      output: edited,
      errors: EDIT_ERRORS,
    },
    delete: { summary: `Delete ${article} ${name}`, output: record, errors: EDIT_ERRORS },
    restore: {
      summary: `Restore ${article} ${name}`,
      description: 'Undeletes the record, or returns it to the version `version_id`.',
      output: edited,
      errors: EDIT_ERRORS,
    },
    bulk: {
      summary: 'Edit many records at once',
      description: 'All operations or none are written, as one transaction of the history.',
      output: z.strictObject({ records: z.array(record), transaction_id: Id.optional() }),
      errors: EDIT_ERRORS,
    },
    get: {
      summary: `Read ${article} ${name}`,
      output: record,
      errors: ['sandbox_not_found', 'record_not_found'],
    },
    list: {
      summary: 'List records',
      description:
        'The first page has the total, up to 100,000; with `where` up to 10,000. All filters combine with AND.',
      output: z.strictObject({ records: z.array(record), page_meta: CountedPageMeta }),
      errors: ['sandbox_not_found'],
    },
  }) satisfies Record<string, ProcedureReference>;

const EditedItem = ItemRecord.extend({
  warnings: z
    .array(z.strictObject({ field: z.string(), msg: z.string() }))
    .optional()
    .meta({
      description:
        'Absent without one. `level_xp_table_id`: this sandbox has no such Xp table. `custom_data`: a restored value does not fit the schema.',
    }),
}).meta({ id: 'EditedItem', description: 'An Item after an edit.' });

const items = describeRecords('an', 'Item', ItemRecord, EditedItem);
const xp = describeRecords('an', 'Xp table', XpRecord);

const ComparedRecord = z
  .strictObject({ record: StoredRecord, version: z.int().min(1), version_id: Id })
  .meta({ id: 'ComparedRecord' });

export const CATALOGUE_PROCEDURES = {
  'sandboxes.create': {
    summary: 'Create a sandbox',
    output: Sandbox,
    errors: ['sandbox_exists'],
  },
  'sandboxes.update': {
    summary: 'Rename a sandbox, or change its protection or review',
    description:
      'A sandbox that becomes protected requires one approval, unless `required_approvals` says otherwise.',
    output: Sandbox,
    errors: CONFIRMED,
  },
  'sandboxes.archive': {
    summary: 'Archive a sandbox',
    description: 'An archived sandbox is read-only.',
    output: Sandbox,
    errors: CONFIRMED,
  },
  'sandboxes.unarchive': {
    summary: 'Take a sandbox out of the archive',
    output: Sandbox,
    errors: ['sandbox_not_found', 'sandbox_busy'],
  },
  'sandboxes.delete': {
    summary: 'Delete a sandbox',
    description:
      'Always needs the name of the sandbox. It can be restored until its retention ends.',
    output: Sandbox,
    errors: CONFIRMED,
  },
  'sandboxes.purge': {
    summary: 'Purge a deleted sandbox now',
    description:
      'For owners, with the name of the sandbox. Its history is empty at once, and cannot be restored.',
    output: z.strictObject({ purged: z.literal(true) }),
    errors: CONFIRMED,
  },
  'sandboxes.restore': {
    summary: 'Undo the deletion of a sandbox',
    output: Sandbox,
    errors: ['sandbox_not_found', 'sandbox_busy'],
  },
  'sandboxes.get': { summary: 'Read a sandbox', output: Sandbox, errors: ['sandbox_not_found'] },
  'sandboxes.list': {
    summary: 'List the sandboxes that the caller may view',
    output: z.strictObject({
      sandboxes: z.array(Sandbox),
      deleted_kept_days: Count.optional().meta({
        description: 'The days until a deleted sandbox is purged; absent for ever.',
      }),
      page_meta: PageMeta,
    }),
  },
  'items.create': items.create,
  'items.update': items.update,
  'items.delete': items.delete,
  'items.restore': items.restore,
  'items.bulk': items.bulk,
  'items.get': items.get,
  'items.list': items.list,
  'xp.create': xp.create,
  'xp.update': xp.update,
  'xp.delete': xp.delete,
  'xp.restore': xp.restore,
  'xp.bulk': xp.bulk,
  'xp.get': xp.get,
  'xp.list': xp.list,
  'versions.list': {
    summary: 'List versions',
    description:
      'Filters combine with AND. The first page fixes which versions the walk covers. The total is exact, and absent over 10,000.',
    output: z.strictObject({ versions: z.array(VersionEntry), page_meta: CountedPageMeta }),
    errors: ['sandbox_not_found'],
  },
  'versions.get': {
    summary: 'Read a version with its record',
    output: VersionEntry.extend({
      record: StoredRecord,
      hash: z.string().meta({ description: 'SHA-256 of the version, in hexadecimal.' }),
    }).meta({ id: 'VersionDetails' }),
    errors: ['sandbox_not_found', 'version_not_found'],
  },
  'versions.diff': {
    summary: 'Compare two versions of a record',
    description: 'Without `from_version_id`, compares with the version before.',
    output: z.strictObject({
      from: VersionEntry.optional(),
      to: VersionEntry,
      changes: z.array(FieldChange),
    }),
    errors: ['sandbox_not_found', 'version_not_found'],
  },
  'records.asOf': {
    summary: 'List the records of a moment',
    description: 'By id, without records that were deleted at that moment.',
    output: z.strictObject({
      records: z.array(
        z
          .strictObject({
            record: StoredRecord,
            version: z.int().min(1),
            version_id: Id,
            operation: Operation,
            current_version: z.int().min(1).meta({ description: 'Of the record now.' }),
            deleted: z.literal(true).optional().meta({ description: 'The record is deleted now.' }),
          })
          .meta({ id: 'RecordAsOf' }),
      ),
      as_of: z.strictObject({ seq: Count, issued_at: Time.optional() }),
      page_meta: PageMeta,
    }),
    errors: ['sandbox_not_found'],
  },
  'compare.list': {
    summary: 'List the differences of two sandboxes, or of a sandbox since a time',
    description: "Records match by id. `changes` turn the target's record into the source's.",
    output: z.strictObject({
      entries: z.array(
        z
          .strictObject({
            record_id: Id,
            name: z.string(),
            status: z.enum(['only_source', 'only_target', 'different']),
            source: ComparedRecord.optional(),
            target: ComparedRecord.optional(),
            changes: z.array(FieldChange),
          })
          .meta({ id: 'Difference' }),
      ),
      counts: z.strictObject({
        only_source: Count,
        only_target: Count,
        different: Count,
        same: Count,
      }),
      page_meta: PageMeta,
    }),
    errors: ['sandbox_not_found'],
  },
} satisfies Record<string, ProcedureReference>;
