// Values that a JSON Schema accepts, as a fast-check arbitrary. Supports the output of zod and the OpenAPI document.
import fc from 'fast-check';

export type JsonSchema = { readonly [keyword: string]: unknown };

type SchemaOptions = {
  /** Values worth trying for a property with this name, such as existing ids. */
  known?: (property: string) => readonly unknown[] | undefined;
  /** The targets of `$ref`, by their last segment. */
  definitions?: Record<string, JsonSchema>;
};

/** Five of six values of a known property are known ones. */
const KNOWN_WEIGHT = 5;
/** Long texts and lists are left to the mutations: most limits are far above what is worth generating. */
const MAX_LENGTH = 24;
const MAX_ITEMS = 4;

/** Patterns that fast-check cannot generate become any text. The request is then refused, which is also a case. */
export const arbitraryOf = (schema: JsonSchema, options: SchemaOptions): fc.Arbitrary<unknown> => {
  const inner = (part: unknown) => arbitraryOf(part as JsonSchema, options);
  if (typeof schema.$ref === 'string') return inner(resolve(schema.$ref, options));
  if ('const' in schema) return fc.constant(schema.const);
  if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum);
  const choices = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(choices)) return fc.oneof(...choices.map(inner));
  if (Array.isArray(schema.allOf)) return fc.tuple(...schema.allOf.map(inner)).map(mergeAll);
  if (Array.isArray(schema.type))
    return fc.oneof(...schema.type.map((type) => inner({ ...schema, type })));
  return ofType(schema, options);
};

const ofType = (schema: JsonSchema, options: SchemaOptions): fc.Arbitrary<unknown> => {
  switch (schema.type) {
    case 'object':
      return objectOf(schema, options);
    case 'array':
      return listOf(schema, options);
    case 'string':
      return textOf(schema);
    case 'integer':
      return fc.oneof(
        fc.integer(boundsOf(schema, 1_000)),
        fc.maxSafeInteger().map(clampTo(schema)),
      );
    case 'number':
      return fc.double({ noNaN: true, noDefaultInfinity: true });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
};

const resolve = (ref: string, { definitions }: SchemaOptions): JsonSchema => {
  const name = ref.slice(ref.lastIndexOf('/') + 1);
  const found = definitions?.[name];
  if (!found) throw new Error(`The schema ${ref} is not defined.`);
  return found;
};

const mergeAll = (parts: unknown[]): unknown => Object.assign({}, ...parts);

const objectOf = (schema: JsonSchema, options: SchemaOptions): fc.Arbitrary<unknown> => {
  const properties = (schema.properties ?? {}) as Record<string, JsonSchema>;
  const required = new Set((schema.required ?? []) as string[]);
  const named = Object.entries(properties).map(([name, part]) => {
    const value = propertyOf(name, part, options).map((given) => [[name, given]]);
    return required.has(name)
      ? value
      : fc.oneof({ weight: 1, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: value });
  });
  const fields = fc.tuple(...named).map((entries) => Object.fromEntries(entries.flat()));
  if (typeof schema.additionalProperties !== 'object') return fields;
  const extra = fc.dictionary(
    fc.string({ minLength: 1, maxLength: 8 }),
    arbitraryOf(schema.additionalProperties as JsonSchema, options),
    { maxKeys: 3 },
  );
  return fc.tuple(fields, extra).map(([own, more]) => ({ ...more, ...own }));
};

const propertyOf = (
  name: string,
  schema: JsonSchema,
  options: SchemaOptions,
): fc.Arbitrary<unknown> => {
  const any = arbitraryOf(schema, options);
  const known = options.known?.(name);
  if (!known || known.length === 0) return any;
  return fc.oneof(
    { weight: KNOWN_WEIGHT, arbitrary: fc.constantFrom(...known) },
    { weight: 1, arbitrary: any },
  );
};

const listOf = (schema: JsonSchema, options: SchemaOptions): fc.Arbitrary<unknown> => {
  const tuple = schema.prefixItems;
  if (Array.isArray(tuple)) return fc.tuple(...tuple.map((part) => arbitraryOf(part, options)));
  const minLength = Number(schema.minItems ?? 0);
  const maxLength = Math.max(minLength, Math.min(Number(schema.maxItems ?? MAX_ITEMS), MAX_ITEMS));
  return fc.array(arbitraryOf((schema.items ?? {}) as JsonSchema, options), {
    minLength,
    maxLength,
  });
};

const textOf = (schema: JsonSchema): fc.Arbitrary<string> => {
  if (schema.format === 'uuid' || schema.format === 'guid') return fc.uuid();
  if (schema.format === 'email') return fc.emailAddress();
  if (schema.format === 'date-time')
    return fc.date({ noInvalidDate: true }).map((date) => date.toISOString());
  if (typeof schema.pattern === 'string') return matching(schema.pattern);
  const minLength = Number(schema.minLength ?? 0);
  const maxLength = Math.max(
    minLength,
    Math.min(Number(schema.maxLength ?? MAX_LENGTH), MAX_LENGTH),
  );
  return fc.string({ minLength, maxLength, unit: 'grapheme' });
};

const matching = (pattern: string): fc.Arbitrary<string> => {
  try {
    return fc.stringMatching(new RegExp(pattern), { maxLength: MAX_LENGTH * 2 });
  } catch {
    return fc.string();
  }
};

const boundsOf = (schema: JsonSchema, around: number) => {
  const min = Math.max(
    Number(schema.minimum ?? -around),
    Number(schema.exclusiveMinimum ?? -around),
  );
  return { min, max: Math.max(min, Math.min(Number(schema.maximum ?? around), min + 2 * around)) };
};

const clampTo =
  (schema: JsonSchema) =>
  (value: number): number =>
    Math.min(Math.max(value, Number(schema.minimum ?? value)), Number(schema.maximum ?? value));
