// What the schemas of a sandbox say about an edit of an Item. Pure.
import type { SchemaField, SchemaProblem } from '@muster/contract';
import { listNewSchemaProblems, listSchemaProblems } from '@muster/contract';
import { ServiceError } from '../../platform/index.ts';
import { readSnapshot } from '../records/record.ts';

/** The fields by item type. */
export type ItemSchemas = ReadonlyMap<string, readonly SchemaField[]>;

/** For Xp tables, and for writes that only warn: promotion, restore and revert. */
export const NO_SCHEMAS: ItemSchemas = new Map();

type TypedItem = { item_type?: string; custom_data?: Record<string, string> };

/**
 * The problems that a change of an Item brings in. Without a record before, and for an Item that gets another type, all
 * values count as changed.
 */
export const findSchemaProblems = (
  schemas: ItemSchemas,
  before: string | undefined,
  after: string,
): SchemaProblem[] => {
  if (schemas.size === 0) return [];
  const item: TypedItem = readSnapshot(after);
  const fields = schemas.get(item.item_type ?? '');
  if (!fields) return [];
  const old: TypedItem | undefined = before === undefined ? undefined : readSnapshot(before);
  const customData = item.custom_data ?? {};
  return old?.item_type === item.item_type
    ? listNewSchemaProblems(fields, old?.custom_data ?? {}, customData)
    : listSchemaProblems(fields, customData);
};

/** Errors: custom_data_invalid, with every problem that the change brings in. */
export const requireFitting = (
  schemas: ItemSchemas,
  before: string | undefined,
  after: string,
): void => {
  const found = findSchemaProblems(schemas, before, after);
  const [first] = found;
  if (!first) return;
  const others = found.length > 1 ? ` Other keys that do not fit: ${found.length - 1}.` : '';
  throw new ServiceError('custom_data_invalid', {
    desc: `${describeProblem(first)}.${others}`,
    problems: found.map(({ key, rule, msg }) => ({
      loc: ['custom_data', key],
      msg,
      type: `value_error.schema.${rule}`,
    })),
  });
};

/** Such as "price: Must be a number". */
export const describeProblem = ({ key, msg }: Pick<SchemaProblem, 'key' | 'msg'>): string =>
  `${key}: ${msg}`;

/** Of one Item: more would make a page of many Items large. */
const MAX_WARNINGS = 10;

/** Sentences for a write that is done in spite of them. */
export const warnOfProblems = (problems: readonly SchemaProblem[]): string[] =>
  problems
    .slice(0, MAX_WARNINGS)
    .map((problem) => `Does not fit the schema: ${describeProblem(problem)}.`);
