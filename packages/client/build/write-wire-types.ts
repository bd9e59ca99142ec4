// The types of the client, from the schemas of the contract: plain, documented, without a dependency.
import {
  ItemHistory,
  JoinRequest,
  PUBLIC_ERROR_CODES,
  ServiceErrorBody,
  Session,
  ValidationErrorBody,
  XpHistory,
} from '@muster/contract';
import { z } from 'zod';
import type { JsonSchema } from './schema-to-type.ts';
import { writeTypeAlias } from './schema-to-type.ts';

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
  'error-types.ts': [
    ['ServiceErrorBody', ServiceErrorBody, 'input'],
    ['ValidationErrorBody', ValidationErrorBody, 'output'],
  ],
};

const ERROR_CODE: JsonSchema = {
  enum: PUBLIC_ERROR_CODES,
  description: 'The reasons for a refusal that this version of the client knows.',
};

/** A root schema with every named schema that it refers to. */
const listSchemas = ([name, schema, io]: Root): [string, JsonSchema][] => {
  const { $defs = {}, ...root } = z.toJSONSchema(schema, { io }) as JsonSchema;
  // A schema with an id of its own stands among the definitions, and its root only points there.
  return root.$ref ? Object.entries($defs) : [...Object.entries($defs), [name, root]];
};

/** File name under src/wire → its text. */
export const writeWireTypes = (): Map<string, string> =>
  new Map(
    Object.entries(FILES).map(([file, roots]) => {
      const schemas = new Map(roots.flatMap(listSchemas));
      if (file === 'error-types.ts') schemas.set('ErrorCode', ERROR_CODE);
      const sorted = [...schemas].sort(([a], [b]) => (a < b ? -1 : 1));
      return [file, [`${HEADER}\n`, ...sorted.map((entry) => writeTypeAlias(...entry))].join('\n')];
    }),
  );
