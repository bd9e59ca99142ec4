// One value against one schema, without what is inside it: type, enumeration, bounds, pattern, format.

import { UUID_PATTERN } from '@muster/contract';
import { isRecord, show, typeOfValue } from '../values.ts';
import type { Schema } from './openapi-document.ts';
import { findClosest } from './report.ts';

type ValueProblem = {
  kind: 'type' | 'enum' | 'bounds' | 'format';
  /** Completes "… is": `is 5000, which is more than 1000`. */
  reason: string;
  suggestion?: string | null;
};

export const typesOf = ({ type, enum: values }: Schema): string[] => {
  if (type !== undefined) return Array.isArray(type) ? type : [type];
  return values ? [...new Set(values.map(typeOfValue))] : [];
};

export const hasType = (schema: Schema, type: string): boolean => {
  const types = typesOf(schema);
  if (types.length === 0) return true;
  return types.includes(type) || (type === 'integer' && types.includes('number'));
};

export const findValueProblem = (value: unknown, schema: Schema): ValueProblem | null => {
  if (!hasType(schema, typeOfValue(value))) {
    const reason = `is ${article(typeOfValue(value))} (${show(value)}), and the contract has ${typesOf(schema).map(article).join(' or ')}`;
    return { kind: 'type', reason };
  }
  // Null that is allowed is none of the enumerated values.
  if (value === null && typesOf(schema).length > 0) return null;
  return (
    findEnumProblem(value, schema) ??
    findBoundsProblem(value, schema) ??
    findFormatProblem(value, schema)
  );
};

const article = (noun: string): string => {
  if (noun === 'null') return 'null';
  return /^[aeiou]/.test(noun) ? `an ${noun}` : `a ${noun}`;
};

const findEnumProblem = (value: unknown, schema: Schema): ValueProblem | null => {
  const allowed = 'const' in schema ? [schema.const] : schema.enum;
  if (!allowed || allowed.includes(value)) return null;
  const names = allowed.map(String);
  const closest = findClosest(String(value), names);
  return {
    kind: 'enum',
    reason: `is ${show(value)}, which is none of ${names.join(', ')}`,
    suggestion: closest && `Did you mean "${closest}"?`,
  };
};

const findBoundsProblem = (value: unknown, schema: Schema): ValueProblem | null => {
  const [size, min, max, unit] = measure(value, schema);
  const shown = typeof value === 'number' ? show(value) : `${show(value)} with ${size} ${unit}`;
  if (min !== undefined && size < min) return bounds(`is ${shown}, which is less than ${min}`);
  if (max !== undefined && size > max) return bounds(`is ${shown}, which is more than ${max}`);
  return null;
};

const bounds = (reason: string): ValueProblem => ({ kind: 'bounds', reason });

type Measure = [size: number, min: number | undefined, max: number | undefined, unit: string];

const measure = (value: unknown, schema: Schema): Measure => {
  if (typeof value === 'number') return [value, schema.minimum, schema.maximum, ''];
  if (typeof value === 'string') {
    return [[...value].length, schema.minLength, schema.maxLength, 'characters'];
  }
  if (Array.isArray(value)) return [value.length, schema.minItems, schema.maxItems, 'elements'];
  const entries = isRecord(value) ? Object.keys(value).length : 0;
  return [entries, undefined, schema.maxProperties, 'entries'];
};

const FORMATS: Record<string, { regex: RegExp; noun: string }> = {
  uuid: { regex: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i, noun: 'a UUID' },
  'date-time': {
    regex: /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/,
    noun: 'an RFC 3339 date-time with a time zone',
  },
};

const findFormatProblem = (value: unknown, schema: Schema): ValueProblem | null => {
  if (typeof value !== 'string') return null;
  const format = schema.format === undefined ? undefined : FORMATS[schema.format];
  if (format && !format.regex.test(value)) {
    return { kind: 'format', reason: `is ${show(value)}, which is not ${format.noun}` };
  }
  if (schema.pattern === undefined || new RegExp(schema.pattern, 'u').test(value)) return null;
  if (schema.pattern === UUID_PATTERN) {
    return { kind: 'format', reason: `is ${show(value)}, which is not a UUID` };
  }
  const example = schema.examples?.[0];
  return {
    kind: 'format',
    reason: `is ${show(value)}, which does not have the form that the contract asks for`,
    suggestion: example === undefined ? null : `Write something like ${show(example)}.`,
  };
};
