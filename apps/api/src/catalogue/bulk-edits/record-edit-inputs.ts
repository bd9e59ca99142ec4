// Inputs of changes that the service computes for many records: which records, and what happens to each.
import {
  boundedList,
  CUSTOM_FIELD,
  customIssue,
  readFilterNumber,
  text,
  Uuid,
} from '@muster/contract';
import { z } from 'zod';

/** As many ids as fit into a request. */
const MAX_IDS = 10_000;
const MAX_EDITS = 10;
const MAX_TAGS = 100;

type Kind = 'item' | 'xp';

/** The fields that an operation can change, besides custom data. A legacy id is permanent, and a name is never empty. */
const EDITABLE = {
  item: {
    set: ['name', 'description', 'item_type', 'level_xp_table_id'],
    clear: ['description', 'tags', 'level_xp_table_id'],
    replace_text: ['name', 'description'],
  },
  xp: {
    set: ['name', 'description'],
    clear: ['description'],
    replace_text: ['name', 'description'],
  },
} as const;

const Field = text(1, CUSTOM_FIELD.length + 128).meta({
  description: 'A field of the record, or `custom_data.` and a key.',
  examples: ['custom_data.price'],
});

const DecimalText = text(1, 62)
  .refine((value) => readFilterNumber(value) !== undefined, { message: 'Must be a number' })
  .meta({ description: 'A decimal number, written in digits.', examples: ['-20', '0.8'] });

const Rounding = z
  .object({
    mode: z.enum(['nearest', 'up', 'down']).meta({
      description:
        '`nearest` rounds halves away from zero; `up` and `down` round toward the larger and the smaller number.',
    }),
    digits: z.int().min(0).max(10).default(0).meta({ description: 'Digits after the point.' }),
  })
  .meta({ description: 'Absent: the exact result.' });

const Tags = boundedList(text(1, 128), { min: 1, max: MAX_TAGS });

const RecordEdit = z.discriminatedUnion('op', [
  z.object({ op: z.literal('set'), field: Field, value: text(0, 4096) }),
  z.object({ op: z.literal('clear'), field: Field }),
  z.object({
    op: z.enum(['add', 'multiply', 'add_percent']),
    field: Field,
    value: DecimalText,
    rounding: Rounding.optional(),
  }),
  z.object({
    op: z.literal('replace_text'),
    field: Field,
    find: text(1, 256).meta({ description: 'Every occurrence is replaced; case matters.' }),
    value: text(0, 4096),
  }),
  z.object({ op: z.enum(['append_tags', 'remove_tags']), tags: Tags }),
]);
export type RecordEdit = z.output<typeof RecordEdit>;

const EDITS_DESCRIPTION = `Applied to each record, one after the other.
- \`set\`, \`clear\`: sets or removes the value of a field.
- \`add\`, \`multiply\`, \`add_percent\`: computes a number of custom data exactly. The result has at least as many digits after the point as the old value, unless it is rounded.
- \`replace_text\`: replaces a text within the value.
- \`append_tags\`, \`remove_tags\`: Items only.`;

const recordEdits = (kind: Kind) =>
  boundedList(RecordEdit, { min: 1, max: MAX_EDITS })
    .check(({ value, issues }) => {
      for (const [index, edit] of value.entries()) {
        const problem = findProblem(kind, edit);
        if (!problem) continue;
        const place = 'field' in edit ? 'field' : 'op';
        issues.push(customIssue(edit, 'value_error.field', problem, [index, place]));
      }
    })
    .meta({ description: EDITS_DESCRIPTION });

const findProblem = (kind: Kind, edit: RecordEdit): string | undefined => {
  if (!('field' in edit)) return kind === 'item' ? undefined : 'Only Items have tags';
  const { field, op } = edit;
  if (field.startsWith(CUSTOM_FIELD) && field.length > CUSTOM_FIELD.length) return undefined;
  const fields: readonly string[] =
    op === 'set' || op === 'clear' || op === 'replace_text' ? EDITABLE[kind][op] : [];
  if (fields.includes(field)) return undefined;
  return `Not a field of this operation. Its fields are ${[...fields, 'custom_data. with a key'].join(', ')}`;
};

/** Which records of a kind are changed, and how. `filters` are those of the kind's list. */
export const matchingRecords = <Kinds extends Kind, Filters extends z.ZodRawShape>(
  kind: Kinds,
  filters: Filters,
) => {
  const which = {
    kind: z.literal(kind),
    ids: boundedList(Uuid, { min: 1, max: MAX_IDS }).optional(),
    filter: z.object(filters).optional().meta({
      description: 'All records that the list shows with this filter. Either this or `ids`.',
    }),
  };
  return z
    .discriminatedUnion('operation', [
      z.object({ ...which, operation: z.literal('update'), edits: recordEdits(kind) }),
      z.object({ ...which, operation: z.literal('delete') }),
      z.object({ ...which, operation: z.literal('restore') }),
    ])
    .refine(({ ids, filter }) => (ids === undefined) !== (filter === undefined), {
      message: 'Either ids or filter',
      path: ['filter'],
    });
};
