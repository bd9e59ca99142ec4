// The parameters of a state as people read them: one row per parameter, nested ones with dotted names.
import { z } from 'zod';
import type { ProviderState } from './catalogue.ts';

export type ParameterRow = {
  name: string;
  type: string;
  /** As JSON; the path parameter it is taken from, where there is one. */
  default: string;
  description: string;
};

export type JsonSchema = {
  type?: string;
  $ref?: string;
  $defs?: Record<string, JsonSchema>;
  enum?: unknown[];
  const?: unknown;
  anyOf?: JsonSchema[];
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  additionalProperties?: JsonSchema | boolean;
  default?: unknown;
  description?: string;
  format?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
};

/** The schema of what a consumer may write: JSON Schema 2020-12. */
export const parameterSchema = (state: ProviderState): JsonSchema =>
  z.toJSONSchema(state.parameters as z.ZodObject, {
    io: 'input',
    unrepresentable: 'any',
  }) as JsonSchema;

export const parameterRows = (state: ProviderState): ParameterRow[] => {
  const schema = parameterSchema(state);
  const context = { definitions: schema.$defs ?? {}, fromPath: state.fromPath };
  return rowsOf(schema, '', context);
};

type Context = {
  definitions: Record<string, JsonSchema>;
  fromPath: Readonly<Record<string, string>>;
};

const rowsOf = (schema: JsonSchema, prefix: string, context: Context): ParameterRow[] =>
  Object.entries(schema.properties ?? {}).flatMap(([key, written]) => {
    const property = resolve(written, context);
    const name = `${prefix}${key}`;
    const pathParameter = prefix === '' ? context.fromPath[key] : undefined;
    const row = {
      name,
      type: typeOf(property, context),
      default: defaultOf(written, pathParameter),
      description: written.description ?? property.description ?? '',
    };
    return [row, ...rowsOf(elementOf(property, context), nested(property, name), context)];
  });

const nested = (property: JsonSchema, name: string): string =>
  property.items ? `${name}[].` : `${name}.`;

const elementOf = (property: JsonSchema, context: Context): JsonSchema =>
  property.items ? resolve(property.items, context) : property;

const resolve = (schema: JsonSchema, { definitions }: Context): JsonSchema => {
  const name = schema.$ref?.replace('#/$defs/', '');
  return name === undefined ? schema : { ...definitions[name], ...schema };
};

const defaultOf = (written: JsonSchema, pathParameter: string | undefined): string => {
  const value = written.default === undefined ? '' : JSON.stringify(written.default);
  if (pathParameter === undefined) return value;
  return `from the request's path, else ${value}`;
};

const typeOf = (written: JsonSchema, context: Context): string => {
  const schema = resolve(written, context);
  if (schema.enum) return schema.enum.map(String).join(', ');
  if (schema.anyOf) return schema.anyOf.map((choice) => typeOf(choice, context)).join(' or ');
  if (schema.items) return `list of ${typeOf(schema.items, context)}`;
  if (schema.type === 'object' && schema.additionalProperties && !schema.properties) {
    return 'map of strings';
  }
  return `${nounOf(schema)}${boundsOf(schema)}`;
};

const nounOf = (schema: JsonSchema): string =>
  schema.format === 'date-time'
    ? 'date-time'
    : schema.format === 'uuid'
      ? 'UUID'
      : (schema.type ?? 'any');

const boundsOf = ({ minimum, maximum, minLength, maxLength }: JsonSchema): string => {
  if (minLength !== undefined || maxLength !== undefined) {
    return ` ${minLength ?? 0}..${maxLength ?? ''}`;
  }
  const isSafe = maximum === Number.MAX_SAFE_INTEGER;
  return minimum === undefined || maximum === undefined || isSafe ? '' : ` ${minimum}..${maximum}`;
};
