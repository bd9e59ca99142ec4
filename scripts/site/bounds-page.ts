// The tables of docs/reference/bounds.md: how long, how many and how large each field of an input may be, from the schemas that check it.
import { toTable } from './limits-page.ts';

/** The keywords of JSON Schema for bounds, as zod and OpenAPI 3.1 write them. */
type Schema = {
  $ref?: string;
  $defs?: Record<string, Schema>;
  type?: string | string[];
  format?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  maxProperties?: number;
  items?: Schema;
  properties?: Record<string, Schema>;
  propertyNames?: Schema;
  additionalProperties?: Schema | boolean;
  anyOf?: Schema[];
  allOf?: Schema[];
};

export type Input = { name: string; schemas: Schema[] };

type OpenApi = {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
};
type Operation = {
  parameters?: { name: string; schema: Schema }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
};

export const composeBounds = (document: OpenApi, procedures: readonly Input[]): string => {
  const endpoints = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.values(operations).map((operation) => ({ name: path, schemas: schemasOf(operation) })),
  );
  const shapes = new Map(Object.entries(document.components.schemas));
  for (const { schemas } of procedures) {
    for (const { $defs = {} } of schemas) {
      for (const [name, schema] of Object.entries($defs)) shapes.set(name, schema);
    }
  }
  const named = findNamed([...endpoints, ...procedures], shapes).map((name) => ({
    name,
    schemas: [shapes.get(name) ?? {}],
  }));
  const toSection = createSections(shapes);
  return [
    toSection('Game clients', 'Endpoint', endpoints),
    toSection('Admin API', 'Procedure', procedures),
    toSection('Shapes that these name', 'Shape', named),
  ].join('\n\n');
};

const schemasOf = ({ parameters = [], requestBody }: Operation): Schema[] => [
  { properties: Object.fromEntries(parameters.map(({ name, schema }) => [name, schema])) },
  ...Object.values(requestBody?.content ?? {}).map(({ schema }) => schema),
];

/** The shapes that inputs lead to, directly or through others, by name. */
const findNamed = (inputs: readonly Input[], shapes: ReadonlyMap<string, Schema>): string[] => {
  const found = new Set<string>();
  const visit = (text: string): void => {
    for (const [, name = ''] of text.matchAll(/"\$ref":"[^"]*\/([^"/]+)"/g)) {
      if (found.has(name)) continue;
      found.add(name);
      visit(JSON.stringify(shapes.get(name) ?? {}));
    }
  };
  for (const { schemas } of inputs) {
    for (const { $defs: _, ...schema } of schemas) visit(JSON.stringify(schema));
  }
  return [...found].toSorted();
};

const createSections = (shapes: ReadonlyMap<string, Schema>) => {
  /** Empty for what has no bound. */
  const describe = (schema: Schema): string => {
    if (schema.$ref) {
      const name = schema.$ref.replace(/^.*\//, '');
      return describe(shapes.get(name) ?? {}) && `\`${name}\``;
    }
    const parts = schema.anyOf ?? schema.allOf;
    if (parts?.some(({ format }) => format === 'date-time')) return '';
    if (parts) return [...new Set(parts.map(describe).filter(Boolean))].join(' or ');
    const types = [schema.type ?? []].flat();
    if (types.includes('array')) return describeArray(schema);
    if (schema.properties) return describeFields(schema.properties);
    if (types.includes('object')) return describeMap(schema);
    const bounds = range(schema.minLength, schema.maxLength);
    if (types.includes('string')) return bounds && `${bounds} characters`;
    return range(schema.minimum, schema.maximum);
  };

  const describeFields = (properties: Record<string, Schema>): string =>
    Object.entries(properties)
      .map(([name, schema]) => [name, describe(schema)])
      .filter(([, bounds]) => bounds)
      .map(([name, bounds]) => `\`${name}\` ${bounds}`)
      .join(', ');

  const describeArray = ({ items = {}, minItems, maxItems }: Schema): string => {
    const count = range(minItems, maxItems);
    const each = describe(items);
    return count && `${count} elements${each && ` (each ${each})`}`;
  };

  const describeMap = ({ propertyNames, additionalProperties, maxProperties }: Schema): string => {
    const count = range(undefined, maxProperties);
    const keys = propertyNames && describe(propertyNames);
    const values = typeof additionalProperties === 'object' && describe(additionalProperties);
    return [count && `${count} entries`, keys && `keys ${keys}`, values && `values ${values}`]
      .filter(Boolean)
      .join(', ');
  };

  return (title: string, what: string, inputs: readonly Input[]): string => {
    const rows = inputs.flatMap(({ name, schemas }) => {
      const bounds = schemas.map(describe).filter(Boolean);
      return bounds.length > 0 ? [`| \`${name}\` | ${bounds.join(', ')} |`] : [];
    });
    return `## ${title}\n\n${toTable(`| ${what} | Bounds |`, rows)}`;
  };
};

const range = (min: number | undefined, max: number | undefined): string => {
  if (max === undefined || Math.abs(max) === Number.MAX_SAFE_INTEGER) return '';
  const lowest = min ? `${number(min)} to ` : 'up to ';
  return `${lowest}${number(max)}`;
};

const number = (value: number): string => value.toLocaleString('en-US');
