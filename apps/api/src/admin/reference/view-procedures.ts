// Saved views.
import { z } from 'zod';
import type { ProcedureReference } from './procedure.ts';
import { Id, RecordKind, Time } from './procedure.ts';

const SavedView = z
  .strictObject({
    view_id: Id,
    kind: RecordKind,
    name: z.string(),
    owner_id: z.string().meta({ description: 'The account that made it.' }),
    shared: z.boolean(),
    search: z.string(),
    updated: Time,
  })
  .meta({ id: 'SavedView', description: 'Filters, columns and sort of a list under a name.' });

const CHANGE_ERRORS = ['sandbox_not_found', 'sandbox_archived', 'too_many_views'] as const;

export const VIEW_PROCEDURES = {
  'views.list': {
    summary: 'List saved views',
    description: 'By name: those of the caller, and the shared ones.',
    output: z.strictObject({ views: z.array(SavedView) }),
    errors: ['sandbox_not_found'],
  },
  'views.create': {
    summary: 'Save a view',
    description: 'A shared view needs `sandbox:config:edit`, also to change or remove it.',
    output: SavedView,
    errors: CHANGE_ERRORS,
  },
  'views.update': {
    summary: 'Change a saved view',
    description: 'Absent members are unchanged.',
    output: SavedView,
    errors: [...CHANGE_ERRORS, 'view_not_found'],
  },
  'views.remove': {
    summary: 'Remove a saved view',
    output: z.strictObject({ removed: z.literal(true) }),
    errors: ['sandbox_not_found', 'sandbox_archived', 'view_not_found'],
  },
} satisfies Record<string, ProcedureReference>;
