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

const State = z.enum(CHANGE_SET_STATES).meta({ id: 'ChangeSetState' });

const Step = z.enum(['apply', 'return']).meta({ id: 'ChangeSetStep' });

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
    schedule: z
      .strictObject({
        apply_at: Time,
        return_at: Time.optional(),
        account_id: z.string().meta({ description: 'The account that scheduled it.' }),
        next_step: Step.optional().meta({ description: 'Absent when nothing is pending.' }),
      })
      .optional(),
    failure: z
      .strictObject({
        step: Step,
        code: z.string().meta({
          description:
            'Such as `too_late`, `both_moments_passed`, `account_disabled`, or an error code.',
        }),
        desc: z.string(),
        at: Time,
        needs_attention: z
          .boolean()
          .meta({ description: 'True until the failure is acknowledged.' }),
      })
      .optional()
      .meta({
        description: 'Why the last scheduled step was not done. Nothing of it was written.',
      }),
  })
  .meta({ id: 'ChangeSet', description: 'A plan of changes that are applied together.' });

const CommentText = z.string().meta({ description: 'Absent from an approval.' });

const Comment = z
  .strictObject({
    comment_id: Id,
    kind: z.enum(['comment', 'approval', 'rejection', 'bypass']),
    account_id: z.string(),
    at: Time,
    text: CommentText.optional(),
    withdrawn: Time.optional().meta({
      description: 'Of an approval, after a later change of the set or a rejection.',
    }),
  })
  .meta({ id: 'ChangeSetComment' });

const Review = z
  .strictObject({
    required_approvals: Count.meta({ description: 'How many the sandbox requires.' }),
    approvals: z.array(
      z
        .strictObject({
          account_id: z.string(),
          at: Time,
          counts: z.boolean().meta({
            description: 'False when the account is disabled or may no longer approve.',
          }),
        })
        .meta({ id: 'Approval' }),
    ),
    editor_ids: z
      .array(z.string())
      .meta({ description: 'The accounts that changed the set after its author.' }),
    rejection: z
      .strictObject({ account_id: z.string(), at: Time, reason: z.string() })
      .optional()
      .meta({ description: 'Of a rejected set.' }),
  })
  .meta({ id: 'Review' });

const ReviewedChangeSet = ChangeSet.extend({ review: Review }).meta({ id: 'ReviewedChangeSet' });

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
        not_computable: z
          .literal(true)
          .optional()
          .meta({ description: 'Present if the change could not be computed for the record.' }),
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
  'sandbox_busy',
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
    output: ReviewedChangeSet,
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
  'changeSets.addMatching': {
    summary: 'Add a change of all matching records',
    description:
      'The service finds the records, and adds an operation for each that changes. A change that cannot be computed for a record, such as 0.8 times a text, is shown as a problem in the preview.',
    output: ChangeSet,
    errors: [...DRAFT_ERRORS, 'body_too_large'],
  },
  'changeSets.removeOperations': {
    summary: 'Remove operations',
    output: ChangeSet,
    errors: DRAFT_ERRORS,
  },
  'changeSets.cancel': {
    summary: 'Cancel a change set',
    description:
      'It stays in the list without its operations, and can no longer be changed or applied. With `discard`, a draft without comments is deleted; a set in another state is refused.',
    output: ChangeSet,
    errors: DRAFT_ERRORS,
  },
  'changeSets.restorePast': {
    summary: 'Create a change set that returns records to a moment',
    description: `${DRAFT} It restores the records that existed then and have changed or been deleted since. Records created since then are unchanged, and legacy ids are kept.`,
    output: ChangeSet,
    errors: ['sandbox_not_found', 'sandbox_archived'],
  },
  'changeSets.promote': {
    summary: 'Create a change set that copies records from another sandbox',
    description: `${DRAFT} It creates, changes, restores and deletes records, so that they are as in the source. A record that the source has never had is shown as a problem in the preview. Legacy ids that the source lacks are kept.`,
    output: ChangeSet,
    errors: ['sandbox_not_found', 'sandbox_archived', 'body_too_large'],
  },
  'changeSets.preview': {
    summary: 'Preview a change set',
    description:
      'Shows what each operation would do to the records as they are now. A record that changed since the base version is merged field by field. `warnings` list Xp tables that are missing or that Items still use, and values that do not fit a schema.',
    output: z.strictObject({
      operations: z.array(PreviewedOperation),
      counts: z
        .strictObject({ changes: Count, unchanged: Count, problems: Count, warnings: Count })
        .optional()
        .meta({
          description:
            'The numbers of operations, of the whole set; only on the first page. An operation with `warnings` also counts as one of the others.',
        }),
      head_seq: Count,
      page_meta: PageMeta,
    }),
    errors: ['sandbox_not_found', 'change_set_not_found'],
  },
  'changeSets.apply': {
    summary: 'Apply a change set',
    description:
      'Writes all operations as one transaction. If an operation has a problem, nothing is written: `change_set_conflict` has the number of `problems`, and `record_id` and `problem_code` of the first one. Applying an applied set again returns the same response. In a sandbox that requires approvals, the set needs that many that count; `bypass_reason` of an owner replaces them. In a protected sandbox, promotions, deletions, and imports that change records need `confirm_sandbox_name`.',
    output: z.strictObject({
      change_set: ChangeSet,
      transaction_id: Id.optional().meta({ description: 'Absent when nothing had to change.' }),
      head_seq: Count,
    }),
    errors: [
      ...DRAFT_ERRORS,
      'sandbox_protected',
      'sandbox_confirmation_required',
      'change_set_conflict',
      'review_required',
    ],
  },
  'changeSets.schedule': {
    summary: 'Schedule a change set',
    description:
      'The service applies it at `apply_at` and reverts it at `return_at`, by the clock of the database, in the name of the caller. The caller must be a person or an API key, and must still have the permission at that moment. A step that cannot be done within 15 minutes is not done: see `failure`. A change of a scheduled set makes it a draft again. In a sandbox that requires approvals, those who created or changed the set cannot give it a return. In a protected sandbox, promotions, deletions, imports that change records, and a `return_at` of a set that creates records need `confirm_sandbox_name`.',
    output: ChangeSet,
    errors: [
      ...DRAFT_ERRORS,
      'sandbox_protected',
      'sandbox_confirmation_required',
      'review_required',
      'own_change',
    ],
  },
  'changeSets.unschedule': {
    summary: 'Remove the schedule of a change set',
    description:
      'A scheduled set returns to `approved`, or to `draft` if it has no approvals. An applied set stays applied, and is not reverted; in a sandbox that requires approvals, those who created or changed the set cannot do that.',
    output: ChangeSet,
    errors: [
      'sandbox_not_found',
      'change_set_not_found',
      'change_set_closed',
      'change_set_revision_conflict',
      'sandbox_busy',
      'own_change',
    ],
  },
  'changeSets.acknowledge': {
    summary: 'Acknowledge a failed schedule',
    description: 'The web app no longer shows the failure on every page of the sandbox.',
    output: ChangeSet,
    errors: ['sandbox_not_found', 'change_set_not_found', 'sandbox_busy'],
  },
  'changeSets.revert': {
    summary: 'Create a change set that reverts an applied one',
    description: 'The same as `edits.revert` of its transaction.',
    output: ChangeSet,
    errors: [...REVERT_ERRORS, 'change_set_not_found', 'change_set_closed'],
  },
  'changeSets.submit': {
    summary: 'Submit a change set for review',
    description: 'A later change of its operations, title or reason returns it to a draft.',
    output: ChangeSet,
    errors: DRAFT_ERRORS,
  },
  'changeSets.approve': {
    summary: 'Approve a change set',
    description:
      'Only for people, and not for those who created or changed the set. It is approved once it has as many approvals as the sandbox requires, and at least one.',
    output: ChangeSet,
    errors: [...DRAFT_ERRORS, 'own_change'],
  },
  'changeSets.reject': {
    summary: 'Reject a change set',
    description:
      'Only for people. Withdraws the approvals. It can be submitted again, also after changes.',
    output: ChangeSet,
    errors: DRAFT_ERRORS,
  },
  'changeSets.comment': {
    summary: 'Comment on a change set',
    description: 'In any state. A change set has at most 1,000 comments.',
    output: Comment,
    errors: ['sandbox_not_found', 'change_set_not_found', 'sandbox_busy'],
  },
  'changeSets.comments': {
    summary: 'List the comments of a change set',
    description: 'With approvals, rejections and bypasses of the review, oldest first.',
    output: z.strictObject({ comments: z.array(Comment), page_meta: PageMeta }),
    errors: ['sandbox_not_found', 'change_set_not_found'],
  },
} satisfies Record<string, ProcedureReference>;
