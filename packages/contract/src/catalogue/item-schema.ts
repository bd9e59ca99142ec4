// The schema of an item type: which keys its custom data has, and which values fit.
import { z } from 'zod';
import { boundedList } from '../bounded-list.ts';
import { customIssue, newName, text } from '../strings.ts';
import { findValueProblem, SCHEMA_FIELD_TYPES } from './schema-check.ts';

/** As many as custom data has keys. */
const MAX_FIELDS = 64;
const MAX_CHOICES = 100;
/** Of the schema as JSON in UTF-8. */
const MAX_SCHEMA_BYTES = 64 * 1_024;

const Key = text(1, 128).refine((key) => key !== '__proto__', 'A key must not be __proto__');

const SchemaFieldInput = z
  .object({
    key: Key.meta({ description: 'A key of custom data.' }),
    type: z.enum(SCHEMA_FIELD_TYPES).meta({
      description:
        '`number` and `integer` are decimal digits, `boolean` is `true` or `false`, `date` is a day or a date-time with a time zone, `reference` is the id of an Item or of an Xp table, `colour` is `#rrggbb` or `#rrggbbaa`.',
    }),
    required: z.boolean().default(false).meta({
      description: 'Whether new Items must have the key, and whether edits may not remove it.',
    }),
    label: newName(128).optional().meta({ description: 'Shown instead of the key.' }),
    default: text(1, 1_024).optional().meta({
      description: 'What forms enter for a new Item. The API does not add it.',
    }),
    choices: boundedList(text(1, 256), { min: 1, max: MAX_CHOICES })
      .optional()
      .meta({ description: 'The values of a `choice`.' }),
    references: z
      .enum(['item', 'xp'])
      .optional()
      .meta({ description: 'Whether a `reference` names an Item or an Xp table.' }),
  })
  .check(({ value: field, issues }) => {
    const refuse = (member: 'choices' | 'references' | 'default', message: string) =>
      issues.push(customIssue(field[member], 'value_error.schema', message, [member]));
    const { type, choices, references } = field;
    if ((choices !== undefined) !== (type === 'choice')) {
      refuse('choices', type === 'choice' ? 'A choice needs its values' : 'Only for a choice');
    } else if (choices && new Set(choices).size < choices.length) {
      refuse('choices', 'Must not have the same value twice');
    }
    if ((references !== undefined) !== (type === 'reference')) {
      const needed = 'A reference needs a kind of record';
      refuse('references', type === 'reference' ? needed : 'Only for a reference');
    }
    const problem =
      field.default === undefined ? undefined : findValueProblem(field, field.default);
    if (problem !== undefined) refuse('default', problem);
  })
  .meta({ id: 'ItemSchemaField', description: 'A key of custom data, and the values that fit.' });

/** The fields of a schema; none means that anything fits. */
export const SchemaFields = boundedList(SchemaFieldInput, { max: MAX_FIELDS })
  .check(({ value: fields, issues }) => {
    const seen = new Set<string>();
    for (const [index, { key }] of fields.entries()) {
      if (seen.has(key)) {
        issues.push(
          customIssue(key, 'value_error.schema', 'Another field has this key', [index, 'key']),
        );
      }
      seen.add(key);
    }
    if (new TextEncoder().encode(JSON.stringify(fields)).length <= MAX_SCHEMA_BYTES) return;
    const message = `Must have at most ${MAX_SCHEMA_BYTES} bytes as JSON`;
    issues.push(customIssue(fields, 'value_error.schema.max_bytes', message));
  })
  .meta({ description: 'The fields in the order of the form. An empty list removes the schema.' });
