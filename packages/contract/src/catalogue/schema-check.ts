// Compares custom data with the schema of an item type. Values are texts; a schema defines which texts fit.
import { readFilterNumber } from './record-filter.ts';

export const SCHEMA_FIELD_TYPES = [
  'text',
  'number',
  'integer',
  'boolean',
  'choice',
  'date',
  'reference',
  'colour',
  'url',
] as const;
export type SchemaFieldType = (typeof SCHEMA_FIELD_TYPES)[number];

/** One key of custom data. Keys without a field may have any value. */
export type SchemaField = {
  key: string;
  type: SchemaFieldType;
  required: boolean;
  /** Shown instead of the key. */
  label?: string | undefined;
  /** The value that forms enter for a new Item. */
  default?: string | undefined;
  /** Of a choice. */
  choices?: readonly string[] | undefined;
  /** Of a reference. */
  references?: 'item' | 'xp' | undefined;
};

export type SchemaProblem = {
  key: string;
  /** `required` when the key is missing, otherwise the type that the value does not fit. */
  rule: 'required' | SchemaFieldType;
  msg: string;
};

type CustomData = Readonly<Record<string, string>>;

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const COLOUR = /^#(?:[0-9a-f]{6}|[0-9a-f]{8})$/i;
const DATE =
  /^(\d{4})-(\d{2})-(\d{2})(?:T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d))?$/;
const WEB_ADDRESS = /^https?:\/\/[^\s]+$/i;

/** Choices in a message. */
const MAX_NAMED = 8;

/** Why the value does not fit; undefined when it fits. */
export const findValueProblem = (
  field: Pick<SchemaField, 'type' | 'choices' | 'references'>,
  value: string,
): string | undefined => (fits(field, value) ? undefined : describeType(field));

const fits = (
  { type, choices = [] }: Pick<SchemaField, 'type' | 'choices'>,
  value: string,
): boolean => {
  switch (type) {
    case 'text':
      return true;
    case 'number':
      return readFilterNumber(value) !== undefined;
    case 'integer':
      return readFilterNumber(value) !== undefined && !value.includes('.');
    case 'boolean':
      return value === 'true' || value === 'false';
    case 'choice':
      return choices.includes(value);
    case 'date':
      return isDate(value);
    case 'reference':
      return UUID.test(value);
    case 'colour':
      return COLOUR.test(value);
    case 'url':
      return WEB_ADDRESS.test(value) && URL.canParse(value);
  }
};

/** A day of the calendar, alone or with a time and its zone. */
const isDate = (value: string): boolean => {
  const [, year = '', month = '', day = ''] = DATE.exec(value) ?? [];
  if (year === '' || year === '0000') return false;
  const date = new Date(`${year}-${month}-01T00:00:00Z`);
  if (Number.isNaN(date.getTime())) return false;
  date.setUTCMonth(date.getUTCMonth() + 1, 0);
  return Number(day) >= 1 && Number(day) <= date.getUTCDate();
};

const describeType = ({
  type,
  choices = [],
  references,
}: Pick<SchemaField, 'type' | 'choices' | 'references'>): string => {
  switch (type) {
    case 'text':
      return 'Must be a text';
    case 'number':
      return 'Must be a number in decimal digits';
    case 'integer':
      return 'Must be a whole number';
    case 'boolean':
      return 'Must be true or false';
    case 'choice':
      return describeChoices(choices);
    case 'date':
      return 'Must be a date such as 2026-12-24, or a date-time with a time zone';
    case 'reference':
      return references === 'xp' ? 'Must be the id of an Xp table' : 'Must be the id of an Item';
    case 'colour':
      return 'Must be a color such as #ff8800';
    case 'url':
      return 'Must be an address that begins with https:// or http://';
  }
};

const describeChoices = (choices: readonly string[]): string => {
  const named = choices.slice(0, MAX_NAMED).join(', ');
  const others = choices.length - MAX_NAMED;
  return others > 0 ? `Must be one of ${named} and ${others} more` : `Must be one of ${named}`;
};

/** Everything in the custom data that does not fit, in the order of the fields. */
export const listSchemaProblems = (
  fields: readonly SchemaField[],
  customData: CustomData,
): SchemaProblem[] =>
  fields.flatMap((field): SchemaProblem[] => {
    const { key, type, required } = field;
    const value = readKey(customData, key);
    if (value === undefined) {
      return required ? [{ key, rule: 'required', msg: 'Is required' }] : [];
    }
    const msg = findValueProblem(field, value);
    return msg === undefined ? [] : [{ key, rule: type, msg }];
  });

/**
 * The problems that an edit brings in: of changed values, and of required keys that it removes. A value that did not fit
 * before and is unchanged is no problem, so that other fields of its Item can be edited.
 */
export const listNewSchemaProblems = (
  fields: readonly SchemaField[],
  before: CustomData,
  after: CustomData,
): SchemaProblem[] =>
  listSchemaProblems(fields, after).filter(
    ({ key }) => readKey(before, key) !== readKey(after, key),
  );

const readKey = (customData: CustomData, key: string): string | undefined =>
  Object.hasOwn(customData, key) ? customData[key] : undefined;
