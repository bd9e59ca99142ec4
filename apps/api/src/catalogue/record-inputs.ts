// Inputs of the admin procedures on records; Items and Xp tables differ in their id and fields only.
import { RecordName, text, Uuid } from '@muster/contract';
import { z } from 'zod';

const MAX_BULK_OPERATIONS = 1000;
const MAX_PAGE_SIZE = 200;
const DEFAULT_PAGE_SIZE = 50;

const Reason = text(1, 1000).optional().meta({ description: 'Why; shown with the version.' });
/** Destructive actions in a protected sandbox need it; everywhere else it says nothing. */
export const confirmation = {
  confirm_sandbox_name: text(1, 256)
    .optional()
    .meta({ description: 'The name of the protected sandbox, typed by the one who acts.' }),
};

const ExpectedVersion = z.int().min(1).meta({ description: 'The version that the edit rests on.' });

/** Cursors of admin lists are opaque, and long where names are. */
export const listWalk = {
  name: text(0, 256).optional().meta({ description: 'Contained in the name, case-insensitive.' }),
  cursor: text(1, 8192).optional(),
  page_size: z.int().min(1).max(MAX_PAGE_SIZE).default(DEFAULT_PAGE_SIZE),
};

/**
 * `patch` has every field optional and without default: an absent field stays as it is, null clears an optional one,
 * lists and maps are replaced as a whole.
 */
export const recordInputs = <
  Id extends z.ZodRawShape,
  Fields extends z.ZodRawShape,
  Patch extends z.ZodRawShape,
>(
  id: Id,
  fields: Fields,
  patch: Patch,
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
  return {
    create,
    update,
    delete: remove.extend(confirmation),
    restore: restore.extend(confirmation),
    get: z.object(id),
    list: z.object({
      ...listWalk,
      include_deleted: z.boolean().default(false),
      only_deleted: z.boolean().optional().meta({ description: 'The trash.' }),
    }),
    bulk: z.object({
      ...confirmation,
      operations: z.array(operation).min(1).max(MAX_BULK_OPERATIONS),
      reason: Reason.meta({ description: 'For every operation that has none of its own.' }),
    }),
  };
};

export const SandboxInputs = {
  update: z.object({
    name: RecordName.optional(),
    protected: z.boolean().optional(),
    ...confirmation,
  }),
  create: z.object({ name: RecordName, sandbox_id: Uuid.optional() }),
  list: z.object({ cursor: listWalk.cursor, page_size: listWalk.page_size }),
};
