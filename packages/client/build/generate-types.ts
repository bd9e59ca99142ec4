// npm run generate: writes the types of the client from the schemas of the contract, plain, documented and without a
// dependency.

import { writeFileSync } from 'node:fs';
import {
  COMPANION_ERROR_CODES,
  ItemHistory,
  JoinRequest,
  PlayerSessions,
  PUBLIC_ERROR_CODES,
  ServiceErrorBody,
  Session,
  ValidationErrorBody,
  XpHistory,
} from '@muster/contract';
import { z } from 'zod';

const HEADER =
  '// Generated from the contract by "npm run generate -w @muster/client"; do not edit.';

/** What is sent has the type before defaults are filled in, what arrives the one after. */
type Root = [name: string, schema: z.ZodType, io: 'input' | 'output'];

const FILES: Record<string, readonly Root[]> = {
  'session-types.ts': [
    ['JoinRequest', JoinRequest, 'input'],
    ['Session', Session, 'output'],
  ],
  'history-types.ts': [
    ['ItemHistory', ItemHistory, 'output'],
    ['XpHistory', XpHistory, 'output'],
  ],
  'companion-types.ts': [['PlayerSessions', PlayerSessions, 'output']],
  'error-types.ts': [
    ['ServiceErrorBody', ServiceErrorBody, 'input'],
    ['ValidationErrorBody', ValidationErrorBody, 'output'],
  ],
};

const ERROR_CODE: JsonSchema = {
  enum: [...new Set([...PUBLIC_ERROR_CODES, ...COMPANION_ERROR_CODES])],
  description: 'The reasons for a refusal that this version of the client knows.',
};

/** A root schema with every named schema that it refers to. */
const listSchemas = ([name, schema, io]: Root): [string, JsonSchema][] => {
  const { $defs = {}, ...root } = z.toJSONSchema(schema, { io }) as JsonSchema;
  // A schema with an id of its own stands among the definitions, and its root only points there.
  return root.$ref ? Object.entries($defs) : [...Object.entries($defs), [name, root]];
};

/** File name under src/wire → its text. */
export const writeWireTypes = (): Map<string, string> => {
  const fileOf = new Map<string, string>();
  return new Map(
    Object.entries(FILES).map(([file, roots]) => {
      const schemas = new Map(roots.flatMap(listSchemas));
      if (file === 'error-types.ts') schemas.set('ErrorCode', ERROR_CODE);
      const sorted = [...schemas].sort(([a], [b]) => (a < b ? -1 : 1));
      const imports = writeImports(
        sorted.map(([name]) => name),
        fileOf,
      );
      const own = sorted.filter(([name]) => !fileOf.has(name));
      for (const [name] of own) fileOf.set(name, file);
      const head = [HEADER, ...imports].join('\n');
      return [file, [`${head}\n`, ...own.map((entry) => writeTypeAlias(...entry))].join('\n')];
    }),
  );
};

/** A type is declared in the first file that uses it. */
const writeImports = (names: readonly string[], fileOf: ReadonlyMap<string, string>): string[] => {
  const known = names.filter((name) => fileOf.has(name));
  const byFile = Object.entries(Object.groupBy(known, (name) => fileOf.get(name) ?? ''));
  return byFile.map(([file, all = []]) => `import type { ${all.join(', ')} } from './${file}';`);
};

// Writes one JSON Schema as one TypeScript type, in the format that Biome gives.

/** The part of JSON Schema 2020-12 that the contract's schemas come out as. */
type JsonSchema = {
  $ref?: string;
  type?: string | readonly string[];
  enum?: readonly (string | number)[];
  anyOf?: readonly JsonSchema[];
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  required?: readonly string[];
  additionalProperties?: JsonSchema | boolean;
  $defs?: Record<string, JsonSchema>;
  description?: string;
  deprecated?: boolean;
  default?: unknown;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
};

const LINE_WIDTH = 100;

/** An exported type alias with its documentation. */
const writeTypeAlias = (name: string, schema: JsonSchema): string => {
  const type = writeType(schema, `export type ${name} = ;`);
  const gap = type.startsWith('\n') ? '' : ' ';
  return `${writeComment(schema, '')}export type ${name} =${gap}${type};\n`;
};

const writeType = (schema: JsonSchema, line: string): string => {
  if (schema.$ref) return schema.$ref.replace('#/$defs/', '');
  // Numbers that are enumerated stay numbers: callers have them from elsewhere.
  if (schema.enum && schema.type !== 'integer')
    return writeUnion(
      schema.enum.map((value) => `'${value}'`),
      line,
    );
  if (typeof schema.type === 'object') return schema.type.join(' | ');
  if (schema.anyOf) return schema.anyOf.map((one) => writeType(one, '')).join(' | ');
  switch (schema.type) {
    case 'string':
    case 'boolean':
      return schema.type;
    case 'integer':
    case 'number':
      return 'number';
    case 'array':
      return writeArray(writeType(schema.items ?? {}, ''));
    case 'object':
      return schema.properties ? writeObject(schema) : writeMap(schema);
    default:
      throw new Error(`No TypeScript type for ${JSON.stringify(schema)}`);
  }
};

const writeArray = (element: string): string =>
  element.includes(' ') ? `(${element})[]` : `${element}[]`;

const writeMap = ({ additionalProperties }: JsonSchema): string => {
  if (typeof additionalProperties !== 'object') throw new Error('A map without a type of values.');
  return `Record<string, ${writeType(additionalProperties, '')}>`;
};

const writeUnion = (members: readonly string[], line: string): string => {
  const short = members.join(' | ');
  if (line.length + short.length <= LINE_WIDTH) return short;
  const indent = line.startsWith('export') ? '  ' : '    ';
  return members.map((member) => `\n${indent}| ${member}`).join('');
};

/** `| undefined` lets a caller with `exactOptionalPropertyTypes` pass a value that may be absent. */
const writeObject = ({ properties = {}, required = [] }: JsonSchema): string => {
  const fields = Object.entries(properties).map(([name, schema]) => {
    const optional = !required.includes(name);
    const start = `  ${name}${optional ? '?' : ''}: `;
    const end = optional ? ' | undefined;' : ';';
    const type = writeType(schema, start + end);
    const body = type.startsWith('\n') && optional ? `${type}\n    | undefined;` : type + end;
    return `${writeComment(schema, '  ')}${type.startsWith('\n') ? start.trimEnd() : start}${body}\n`;
  });
  return `{\n${fields.join('')}}`;
};

const writeComment = (schema: JsonSchema, indent: string): string => {
  const description = schema.description?.replace(/^Deprecated: ./, (start) =>
    start.slice(-1).toUpperCase(),
  );
  const text = schema.deprecated ? `@deprecated ${description ?? ''}`.trim() : description;
  const sentences = [text, describeBounds(schema)].filter((sentence) => sentence !== undefined);
  return sentences.length === 0 ? '' : `${indent}/** ${sentences.join(' ')} */\n`;
};

const describeBounds = (schema: JsonSchema): string | undefined => {
  const { minLength, maxLength, minimum, maximum } = schema;
  const length = describeRange(minLength, maxLength);
  if (length) return `${length} characters.`;
  const isBounded = maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER;
  return isBounded ? `${describeRange(minimum, maximum)}.` : undefined;
};

const describeRange = (low: number | undefined, high: number | undefined): string | undefined => {
  if (high !== undefined) return low ? `${low}..${high}` : `At most ${high}`;
  return low === undefined ? undefined : `At least ${low}`;
};

// npm run generate: writes the generated sources of the client.

if (import.meta.main) {
  for (const [file, text] of writeWireTypes()) {
    writeFileSync(new URL(`../src/wire/${file}`, import.meta.url), text);
  }
}
