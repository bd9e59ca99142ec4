// npm run generate: writes the types of the client from the document of the admin API, plain, documented and without a dependency. With
// --check it only compares.
import { readFileSync, writeFileSync } from 'node:fs';

const DOCUMENT = new URL('../../../contracts/openapi-admin.json', import.meta.url);
const TYPES = new URL('../src/generated/admin-api.ts', import.meta.url);

const HEADER = `// Generated from contracts/openapi-admin.json by "npm run generate -w @muster/admin-client"; do not edit.
`;

/** The part of JSON Schema 2020-12 that the document has. */
type JsonSchema = {
  $ref?: string;
  type?: string | readonly string[];
  enum?: readonly unknown[];
  anyOf?: readonly JsonSchema[];
  oneOf?: readonly JsonSchema[];
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  required?: readonly string[];
  additionalProperties?: JsonSchema | boolean;
  description?: string;
  deprecated?: boolean;
};

type Content = { content: { 'application/json': { schema: JsonSchema } } };
type Operation = {
  summary: string;
  description: string;
  requestBody?: Content & { required: boolean };
  responses: { 200: Content };
};

type Document = {
  paths: Record<string, { post: Operation }>;
  components: { schemas: Record<string, JsonSchema> };
};

export const writeTypes = (): string => {
  const { paths, components }: Document = JSON.parse(readFileSync(DOCUMENT, 'utf8'));
  // `call` returns the data of a result, so that nothing refers to the envelopes.
  const schemas = Object.entries(components.schemas).filter(([name]) => !/Success$/.test(name));
  const types = schemas.map(
    ([name, schema]) =>
      `${writeComment(schema, '')}export type ${name} = ${writeType(schema, '')};\n`,
  );
  const procedures = Object.entries(paths).map(([path, { post }]) =>
    writeProcedure(path.replace('/admin/trpc/', ''), post, components.schemas),
  );
  const map = `/** The input and the output of every procedure. */\nexport type Procedures = {\n${procedures.join('')}};\n`;
  return [HEADER, ...types, map].join('\n');
};

const writeProcedure = (
  name: string,
  { summary, description, requestBody, responses }: Operation,
  schemas: Document['components']['schemas'],
): string => {
  const input = requestBody && writeType(requestBody.content['application/json'].schema, '');
  const optional = requestBody?.required ? '' : ' | undefined';
  const success = schemas[nameOf(responses[200].content['application/json'].schema)];
  const data = success?.properties?.result?.properties?.data;
  return `  /** ${summary}. ${description} */
  '${name}': { input: ${input === undefined ? 'undefined' : input + optional}; output: ${data ? writeType(data, '') : 'undefined'} };
`;
};

const nameOf = ({ $ref = '' }: JsonSchema): string => $ref.replace('#/components/schemas/', '');

const writeType = (schema: JsonSchema, indent: string): string => {
  const { $ref, enum: values, anyOf = schema.oneOf, type, items } = schema;
  if ($ref) return nameOf(schema);
  if (values) return values.map(writeLiteral).join(' | ');
  if (anyOf) return writeUnion(anyOf.map((one) => writeType(one, indent)));
  if (Array.isArray(type)) {
    return writeUnion(type.map((one: string) => writeType({ ...schema, type: one }, indent)));
  }
  switch (type) {
    case 'string':
    case 'boolean':
    case 'null':
      return type;
    case 'integer':
    case 'number':
      return 'number';
    case 'array':
      return writeArray(writeType(items ?? {}, indent));
    case 'object':
      return schema.properties ? writeObject(schema, indent) : writeMap(schema, indent);
    default:
      return 'unknown';
  }
};

const writeLiteral = (value: unknown): string =>
  typeof value === 'string' ? `'${value}'` : JSON.stringify(value);

const writeUnion = (members: readonly string[]): string => [...new Set(members)].join(' | ');

const writeArray = (element: string): string =>
  /[ |]/.test(element) ? `(${element})[]` : `${element}[]`;

const writeMap = ({ additionalProperties }: JsonSchema, indent: string): string =>
  typeof additionalProperties === 'object'
    ? `Record<string, ${writeType(additionalProperties, indent)}>`
    : 'Record<string, never>';

/** `| undefined` lets a caller with `exactOptionalPropertyTypes` pass a value that may be absent. */
const writeObject = (schema: JsonSchema, indent: string): string => {
  const { properties = {}, required = [], additionalProperties } = schema;
  const inner = `${indent}  `;
  const members = Object.entries(properties).map(([name, member]) => {
    const type = writeType(member, inner);
    const line = required.includes(name) ? `${name}: ${type}` : `${name}?: ${type} | undefined`;
    return `${writeComment(member, inner)}${inner}${line};\n`;
  });
  if (typeof additionalProperties === 'object') members.push(`${inner}[name: string]: unknown;\n`);
  return members.length === 0 ? 'Record<string, never>' : `{\n${members.join('')}${indent}}`;
};

const writeComment = ({ description, deprecated }: JsonSchema, indent: string): string => {
  const text = deprecated ? `@deprecated ${description ?? ''}`.trim() : description;
  return text ? `${indent}/** ${text} */\n` : '';
};

if (import.meta.main) {
  const isCurrent = readFileSync(TYPES, 'utf8') === writeTypes();
  if (!process.argv.includes('--check')) writeFileSync(TYPES, writeTypes());
  else if (!isCurrent) {
    process.stderr.write(
      'The types of packages/admin-client are not those of contracts/openapi-admin.json.\n',
    );
    process.exitCode = 1;
  }
}
