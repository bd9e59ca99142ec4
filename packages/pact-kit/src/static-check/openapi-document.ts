// What the kit reads of JSON Schema and of an OpenAPI 3.1 document.
export type Schema = {
  $ref?: string;
  $defs?: Record<string, Schema>;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  items?: Schema;
  minItems?: number;
  maxItems?: number;
  maxProperties?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  format?: string;
  minimum?: number;
  maximum?: number;
  default?: unknown;
  description?: string;
  examples?: unknown[];
  'x-extensible-enum'?: string[];
};

export type Parameter = {
  name: string;
  in: string;
  required?: boolean;
  schema: Schema;
  style?: string;
  explode?: boolean;
};

export type ResponseObject = {
  headers?: Record<string, { required?: boolean; schema?: Schema }>;
  content?: Record<
    string,
    { schema?: Schema; examples?: Record<string, { value?: unknown }> } | undefined
  >;
};

export type Operation = {
  operationId?: string;
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content?: Record<string, { schema?: Schema } | undefined> };
  responses: Record<string, ResponseObject>;
};

export type OpenApi = {
  openapi: string;
  paths: Record<string, Record<string, Operation | undefined> | undefined>;
  components?: { schemas?: Record<string, Schema> };
};

/** Follows references, joins `allOf`, and counts null among the types, so that a schema has its keywords in one place. */
export const resolveSchema = (document: Pick<OpenApi, 'components'>, schema: Schema): Schema => {
  const { $ref, allOf, ...own } = schema;
  if ($ref !== undefined) {
    const name = $ref.split('/').at(-1) ?? '';
    const target = document.components?.schemas?.[name] ?? {};
    return { ...resolveSchema(document, target), ...own };
  }
  const { anyOf, ...rest } = own;
  const [choice, none] = anyOf ?? [];
  if (anyOf?.length === 2 && choice && none?.type === 'null') {
    const target = resolveSchema(document, choice);
    return { ...target, ...rest, type: [target.type ?? [], 'null'].flat() };
  }
  if (!allOf) return own;
  return allOf.map((part) => resolveSchema(document, part)).reduce(joinSchemas, own);
};

const joinSchemas = (a: Schema, b: Schema): Schema => ({
  ...a,
  ...b,
  properties: { ...a.properties, ...b.properties },
  required: [...(a.required ?? []), ...(b.required ?? [])],
});

const JSON_TYPES = ['application/json', 'application/hal+json'];

/** The JSON entry of a content map; this interface has no other kind. */
export const jsonContent = <Entry>(content: Record<string, Entry | undefined> | undefined) =>
  JSON_TYPES.map((type) => content?.[type]).find((entry) => entry !== undefined);

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

export const methodsOf = (item: Record<string, Operation | undefined>): string[] =>
  METHODS.filter((method) => item[method]).map((method) => method.toUpperCase());
