// Filters of records by value: which fields there are, what their types are, and which operators fit a type.
import { z } from 'zod';
import { boundedList } from '../bounded-list.ts';
import { customIssue, DateTimeInput, text } from '../strings.ts';

type Kind = 'item' | 'xp';

/** The type of a field. The values of custom data are texts, of which some are numbers, dates or booleans. */
export type FilterType = 'text' | 'number' | 'date' | 'list' | 'custom';

const OPERATORS = [
  'eq',
  'ne',
  'gt',
  'gte',
  'lt',
  'lte',
  'contains',
  'starts_with',
  'is_empty',
  'is_not_empty',
  'has',
  'has_not',
  'is_true',
  'is_false',
] as const;
export type FilterOperator = (typeof OPERATORS)[number];

const EMPTY = ['is_empty', 'is_not_empty'] as const;
const ORDER = ['gt', 'gte', 'lt', 'lte'] as const;

export const FILTER_OPERATORS: Readonly<Record<FilterType, readonly FilterOperator[]>> = {
  text: ['eq', 'ne', 'contains', 'starts_with', ...EMPTY],
  number: ['eq', 'ne', ...ORDER, ...EMPTY],
  date: ORDER,
  list: ['has', 'has_not', ...EMPTY],
  custom: ['eq', 'ne', ...ORDER, 'contains', 'starts_with', ...EMPTY, 'is_true', 'is_false'],
};

/** These compare with no value. */
export const BARE_OPERATORS: ReadonlySet<string> = new Set([...EMPTY, 'is_true', 'is_false']);

/** Every field but for custom data, in the order of a choice. */
export const FILTER_FIELDS: Readonly<Record<Kind, Readonly<Record<string, FilterType>>>> = {
  item: {
    name: 'text',
    item_type: 'text',
    tags: 'list',
    description: 'text',
    level_xp_table_id: 'text',
    legacy_item_id: 'number',
    version: 'number',
    created: 'date',
    updated: 'date',
  },
  xp: {
    name: 'text',
    description: 'text',
    levels: 'number',
    top: 'number',
    legacy_xp_id: 'number',
    version: 'number',
    created: 'date',
    updated: 'date',
  },
};

export const CUSTOM_FIELD = 'custom_data.';

/** Undefined for a field that the kind does not have. */
export const filterTypeOf = (kind: Kind, field: string): FilterType | undefined => {
  if (field.startsWith(CUSTOM_FIELD) && field.length > CUSTOM_FIELD.length) return 'custom';
  return Object.hasOwn(FILTER_FIELDS[kind], field) ? FILTER_FIELDS[kind][field] : undefined;
};

/** Values of these fields are compared as texts, also when they are digits. */
export const isTextField = (field: string): boolean =>
  Object.values(FILTER_FIELDS).some(
    (fields) => Object.hasOwn(fields, field) && fields[field] === 'text',
  );

/** Digits with an optional sign and point. Each fits into a double. The migration of the values has the same pattern. */
const NUMBER = /^-?\d{1,30}(?:\.\d{1,30})?$/;

/** The text as a number; undefined when it is none. */
export const readFilterNumber = (value: string): number | undefined =>
  NUMBER.test(value) ? Number(value) : undefined;

const MAX_CONDITIONS = 10;

const OPERATORS_DESCRIPTION = `Text is compared without case: names in every script, other text for the letters A to Z only.
- \`eq\`, \`ne\`: the field has or does not have this value. A record without the field matches \`ne\`. Numbers are compared as numbers if both sides are numbers.
- \`gt\`, \`gte\`, \`lt\`, \`lte\`: a number compares with numbers only, a date with dates, any other text by its code points.
- \`contains\`, \`starts_with\`: the text contains this text, or begins with it.
- \`has\`, \`has_not\`: a list has or does not have this element.
- \`is_empty\`, \`is_not_empty\`: the field has no value, or an empty text or list; or it has one.
- \`is_true\`, \`is_false\`: the value of custom data is \`true\` or \`false\`.`;

const Condition = z
  .object({
    field: text(1, CUSTOM_FIELD.length + 128).meta({
      description: 'A field of the record, or `custom_data.` and a key.',
      examples: ['name', 'custom_data.price'],
    }),
    op: z.enum(OPERATORS).meta({ description: OPERATORS_DESCRIPTION }),
    value: text(1, 256).optional().meta({
      description:
        'What the field is compared with. Numbers are written in digits. Absent for `is_empty`, `is_not_empty`, `is_true` and `is_false`.',
    }),
  })
  .meta({ id: 'RecordCondition', description: 'A comparison of one field of a record.' });
export type RecordCondition = z.output<typeof Condition>;

const Conditions = boundedList(Condition, { max: MAX_CONDITIONS }).optional();

/** A record matches when all conditions of `and` are true, and one of `or`. */
export type RecordWhere = {
  and?: RecordCondition[] | undefined;
  or?: RecordCondition[] | undefined;
};

/** The filter by value of Items or of Xp tables: at most ten conditions. */
export const recordWhere = (kind: Kind) =>
  z
    .object({
      and: Conditions.meta({ description: 'All of these are true.' }),
      or: Conditions.meta({ description: 'At least one of these is true, besides all of `and`.' }),
    })
    .check(({ value, issues }) => {
      const lists = [
        ['and', value.and ?? []],
        ['or', value.or ?? []],
      ] as const;
      const count = lists.reduce((sum, [, conditions]) => sum + conditions.length, 0);
      if (count === 0 || count > MAX_CONDITIONS) {
        const message = `Must have 1 to ${MAX_CONDITIONS} conditions`;
        issues.push(customIssue(value, 'value_error.conditions', message));
      }
      for (const [list, conditions] of lists) {
        for (const [index, condition] of conditions.entries()) {
          const problem = findProblem(kind, condition);
          if (!problem) continue;
          const { member, type, message } = problem;
          issues.push(customIssue(condition[member], type, message, [list, index, member]));
        }
      }
    })
    .meta({
      description: `A filter by value, with at most ${MAX_CONDITIONS} conditions.`,
      examples: [
        {
          and: [
            { field: 'custom_data.price', op: 'gt', value: '500' },
            { field: 'custom_data.rarity', op: 'eq', value: 'legendary' },
          ],
        },
      ],
    });

type Problem = {
  member: 'field' | 'op' | 'value';
  type: `value_error.${string}`;
  message: string;
};

const findProblem = (kind: Kind, { field, op, value }: RecordCondition): Problem | undefined => {
  const type = filterTypeOf(kind, field);
  if (!type) {
    const fields = Object.keys(FILTER_FIELDS[kind]).join(', ');
    const message = `Unknown field. The fields are ${fields}, and custom_data. with a key`;
    return { member: 'field', type: 'value_error.unknown_field', message };
  }
  if (!FILTER_OPERATORS[type].includes(op)) {
    const message = `Not an operator of this field. Its operators are ${FILTER_OPERATORS[type].join(', ')}`;
    return { member: 'op', type: 'value_error.operator', message };
  }
  const message = findValueProblem(type, op, value);
  return message === undefined
    ? undefined
    : { member: 'value', type: 'value_error.value', message };
};

const findValueProblem = (type: FilterType, op: FilterOperator, value: string | undefined) => {
  if (BARE_OPERATORS.has(op)) return value === undefined ? undefined : `${op} has no value`;
  if (value === undefined) return `${op} needs a value`;
  if (type === 'number' && readFilterNumber(value) === undefined) return 'Must be a number';
  if (type === 'date' && !DateTimeInput.safeParse(value).success) {
    return 'Must be an RFC 3339 date-time with a time zone';
  }
  return undefined;
};
