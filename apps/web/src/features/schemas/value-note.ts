// What an input says about a value that does not fit its schema, by the rules of the service.
import type { SchemaField } from '@muster/contract';
import { findValueProblem } from '@muster/contract';

export type ValueNote = {
  /** The service would refuse the value. */
  error?: string;
  /** The value is an old one, which the service accepts until it changes. */
  warning?: string;
};

type CustomData = Readonly<Record<string, string>>;

/**
 * An empty value is an absent key, unless the stored one is empty. `stored` is undefined for a new Item, and for one whose
 * type changes: all their values count as new. Their missing keys are reported when they are sent.
 */
export const describeValue = (
  field: SchemaField,
  value: string,
  stored: CustomData | undefined,
): ValueNote => {
  const before = stored && Object.hasOwn(stored, field.key) ? stored[field.key] : undefined;
  const given = value === '' && before !== '' ? undefined : value;
  const isOld = stored !== undefined && given === before;
  if (given === undefined) {
    if (!field.required || !stored) return {};
    return isOld
      ? { warning: 'The schema requires this key; you can leave it empty.' }
      : { error: 'Is required.' };
  }
  const problem = findValueProblem(field, given);
  if (problem === undefined) return {};
  return isOld
    ? { warning: `Does not fit the schema: ${lowerFirst(problem)}; you can keep it.` }
    : { error: `${problem}.` };
};

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);
