// Edits and change sets.
import { z } from 'zod';
import { CHANGE_SET_STATES } from '../../catalogue/index.ts';
import type { ProcedureReference } from './procedure.ts';
import { Count, FieldChange, Id, Operation, PageMeta, RecordKind, Time } from './procedure.ts';

const Edit = z
  .strictObject({
    transaction_id: Id,
    issued_at: Time,
    account_id: z.string(),
    reason: z.string().optional().meta({ description: 'The reason of its last version.' }),
    title: z.string().optional().meta({ description: 'The title of its change set.' }),
    change_set_id: Id.optional(),
    first_seq: Count,
    last_seq: Count,
    counts: z.array(
      z
        .strictObject({ kind: RecordKind, operation: Operation, records: Count })
        .meta({ id: 'EditCount' }),
    ),
    changed_fields: z.array(z.string()),
    name: z.string().optional().meta({ description: 'Only for an edit of one record.' }),
    record_id: Id.optional().meta({ description: 'Only for an edit of one record.' }),
    reverted_by_transaction_id: Id.optional(),
  })
  .meta({ id: 'Edit', description: 'All versions that one transaction wrote.' });

/** Of a change set. This version uses draft, applied, reverted and cancelled. */
const State = z.enum(CHANGE_SET_STATES).meta({ id: 'ChangeSetState' });

const ChangeSet = z
  .strictObject({
    sandbox_id: Id,
    change_set_id: Id,
    title: z.string(),
    reason: z.string().optional(),
    state: State,
    author_id: z.string(),
    revision: z.int().min(1).meta({ description: 'Increases with every change of the set.' }),
    operation_count: Count,
    created: Time,
    updated: Time,
    applied: z
      .strictObject({
        transaction_id: Id.optional().meta({ description: 'Absent when nothing had to change.' }),
        account_id: z.string(),
        at: Time,
      })
      .optional(),
    reverts_transaction_id: Id.optional().meta({ description: 'The edit that this set undoes.' }),
    reverted_by_set_id: Id.optional(),
  })
  .meta({ id: 'ChangeSet', description: 'A plan of changes that are applied together.' });

const FieldConflict = z
  .strictObject({
    path: FieldChange.shape.path,
    label: z.string(),
    base: z.unknown().optional().meta({ description: 'The value in the base version.' }),
    theirs: z.unknown().optional().meta({ description: 'The value of the record now.' }),
    mine: z.unknown().optional().meta({ description: 'The value of the operation.' }),
  })
  .meta({ id: 'FieldConflict', description: 'Two different changes of one value.' });

const PreviewedOperation = z
  .strictObject({
    kind: RecordKind,
    record_id: Id,
    name: z.string(),
    operation: z.enum(['create', 'update', 'delete', 'restore']),
    changes: z.array(FieldChange),
    problem: z
      .strictObject({
        error_code: z.string(),
        desc: z.string(),
        conflicts: z.array(FieldConflict).optional(),
      })
      .optional()
      .meta({ description: 'Why the change set cannot be applied.' }),
    warnings: z.array(z.string()).optional(),
  })
  .meta({ id: 'PreviewedOperation', description: 'What an operation would change now.' });

const DRAFT_ERRORS = [
  'sandbox_not_found',
  'sandbox_archived',
  'change_set_not_found',
  'change_set_closed',
  'change_set_revision_conflict',
] as const;
const REVERT_ERRORS = ['sandbox_not_found', 'sandbox_archived', 'edit_not_found'] as const;
const DRAFT =
  'The change set is a draft: it changes no record until it is applied. It has at most 50,000 operations.';

export const CHANGE_SET_PROCEDURES = {
  'edits.list': {
    summary: 'List edits',
    description:
      'Newest first. An edit is everything that one transaction wrote, whichever procedure it was.',
    output: z.strictObject({ edits: z.array(Edit), page_meta: PageMeta }),
    errors: ['sandbox_not_found'],
  },
  'edits.revert': {
    summary: 'Create a change set that reverts an edit',
    description: `${DRAFT} A legacy id that the edit set is kept.`,
    output: ChangeSet,
    errors: REVERT_ERRORS,
  },
  'changeSets.create': {
    summary: 'Create a change set',
    description: DRAFT,
    output: ChangeSet,
    errors: ['sandbox_not_found', 'sandbox_archived', 'change_set_exists'],
  },
  'changeSets.get': {
    summary: 'Read a change set',
    output: ChangeSet,
    errors: ['sandbox_not_found', 'change_set_not_found'],
  },
  'changeSets.list': {
    summary: 'List change sets',
    description: 'The last updated first.',
    output: z.strictObject({ change_sets: z.array(ChangeSet), page_meta: PageMeta }),
    errors: ['sandbox_not_found'],
  },
  'changeSets.update': {
    summary: 'Change the title or the reason',
    description: 'An absent member is unchanged, null clears the reason.',
    output: ChangeSet,
    errors: DRAFT_ERRORS,
  },
  'changeSets.addOperations': {
    summary: 'Add operations',
    description:
      'They are checked when the set is applied. An operation for the same record is replaced.',
    output: ChangeSet,
    errors: DRAFT_ERRORS,
  },
  'changeSets.removeOperations': {
    summary: 'Remove operations',
    output: ChangeSet,
    errors: DRAFT_ERRORS,
  },
  'changeSets.cancel': {
    summary: 'Cancel a change set',
    description: 'It stays in the list, and can no longer be changed or applied.',
    output: ChangeSet,
    errors: DRAFT_ERRORS,
  },
  'changeSets.preview': {
    summary: 'Preview a change set',
    description:
      'Shows what each operation would do to the records as they are now. A record that changed since the base version is merged field by field.',
    output: z.strictObject({
      operations: z.array(PreviewedOperation),
      counts: z
        .strictObject({ changes: Count, unchanged: Count, problems: Count })
        .optional()
        .meta({ description: 'Of all operations; only on the first page.' }),
      head_seq: Count,
      page_meta: PageMeta,
    }),
    errors: ['sandbox_not_found', 'change_set_not_found'],
  },
  'changeSets.apply': {
    summary: 'Apply a change set',
    description:
      'Writes all operations as one transaction. If an operation has a problem, nothing is written: `change_set_conflict` has the number of `problems`, and `record_id` and `problem_code` of the first one. Applying an applied set again returns the same response.',
    output: z.strictObject({
      change_set: ChangeSet,
      transaction_id: Id.optional().meta({ description: 'Absent when nothing had to change.' }),
      head_seq: Count,
    }),
    errors: [
      ...DRAFT_ERRORS,
      'sandbox_busy',
      'sandbox_protected',
      'sandbox_confirmation_required',
      'change_set_conflict',
    ],
  },
  'changeSets.revert': {
    summary: 'Create a change set that reverts an applied one',
    description: 'The same as `edits.revert` of its transaction.',
    output: ChangeSet,
    errors: [...REVERT_ERRORS, 'change_set_not_found', 'change_set_closed'],
  },
} satisfies Record<string, ProcedureReference>;
