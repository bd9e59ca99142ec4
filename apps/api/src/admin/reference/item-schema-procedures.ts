// Schemas of item types.
import { ItemType, SCHEMA_FIELD_TYPES } from '@muster/contract';
import { z } from 'zod';
import type { ProcedureReference } from './procedure.ts';
import { Count, Id, PageMeta, Time } from './procedure.ts';

const StoredField = z
  .strictObject({
    key: z.string(),
    type: z.enum(SCHEMA_FIELD_TYPES),
    required: z.boolean(),
    label: z.string().optional(),
    default: z.string().optional(),
    choices: z.array(z.string()).optional(),
    references: z.enum(['item', 'xp']).optional(),
  })
  .meta({ id: 'StoredSchemaField', description: 'A key of custom data, and the values that fit.' });

const ItemSchema = z
  .strictObject({
    item_type: ItemType,
    version: Count.meta({
      description: 'The `expected_version` of the next change; 0 without a schema.',
    }),
    fields: z.array(StoredField).meta({ description: 'Empty when anything fits.' }),
    account_id: z.string().optional().meta({ description: 'Absent in version 0.' }),
    created: Time.optional().meta({ description: 'Absent in version 0.' }),
    reason: z.string().optional(),
    source_sandbox_id: Id.optional().meta({ description: 'Only if the schema was promoted.' }),
    source_version: Count.optional(),
  })
  .meta({ id: 'ItemSchema', description: 'A version of the schema of an item type.' });

const UnfitItem = z
  .strictObject({
    item_id: Id,
    name: z.string(),
    item_type: ItemType,
    version: Count,
    problems: z.array(
      z
        .strictObject({
          key: z.string(),
          rule: z.enum(['required', ...SCHEMA_FIELD_TYPES]).meta({
            description: '`required` when the key is missing, otherwise the type.',
          }),
          msg: z.string(),
          value: z.string().optional().meta({ description: 'Its first 256 characters.' }),
        })
        .meta({ id: 'SchemaProblem' }),
    ),
  })
  .meta({ id: 'UnfitItem', description: 'An Item with values that do not fit its schema.' });

const CHANGE_ERRORS = [
  'sandbox_not_found',
  'sandbox_archived',
  'sandbox_busy',
  'item_schema_conflict',
] as const;

export const ITEM_SCHEMA_PROCEDURES = {
  'itemSchemas.list': {
    summary: 'List the schemas of a sandbox',
    description: 'Of every item type that has had a schema.',
    output: z.strictObject({ schemas: z.array(ItemSchema) }),
    errors: ['sandbox_not_found'],
  },
  'itemSchemas.get': {
    summary: 'Read the schema of an item type',
    output: ItemSchema,
    errors: ['sandbox_not_found'],
  },
  'itemSchemas.set': {
    summary: 'Change the schema of an item type',
    description: 'Replaces all fields and changes no Item. It needs no review.',
    output: ItemSchema,
    errors: CHANGE_ERRORS,
  },
  'itemSchemas.promote': {
    summary: 'Copy a schema from another sandbox',
    output: ItemSchema,
    errors: CHANGE_ERRORS,
  },
  'itemSchemas.history': {
    summary: 'List the versions of a schema',
    description: 'The newest first.',
    output: z.strictObject({ versions: z.array(ItemSchema), page_meta: PageMeta }),
    errors: ['sandbox_not_found'],
  },
  'itemSchemas.problems': {
    summary: 'List Items with values that do not fit',
    description:
      'Sorted by id. A call reads at most 5,000 Items, so a page with a cursor can be short or empty.',
    output: z.strictObject({ items: z.array(UnfitItem), page_meta: PageMeta }),
    errors: ['sandbox_not_found'],
  },
} satisfies Record<string, ProcedureReference>;
