// Members of objects as generators of clients want them: no default in a member, no choice between types, null where a
// request may have it.
import type { createDocument } from 'zod-openapi';

type Schema = {
  type?: string | string[];
  $ref?: string;
  allOf?: Schema[];
  anyOf?: Schema[];
  items?: Schema;
  enum?: unknown[];
  nullable?: boolean;
  properties?: Record<string, Schema>;
  required?: string[];
  default?: unknown;
};

type Schemas = Record<string, Schema>;

/** Changes the document in place. */
export const polishMembers = (document: ReturnType<typeof createDocument>): void => {
  const schemas = (document.components?.schemas ?? {}) as Schemas;
  for (const { properties = {} } of Object.values(schemas)) {
    for (const member of Object.values(properties)) {
      // openapi-typescript makes a member with a default required, ogen stops at one that is no scalar: prose says it.
      delete member.default;
      // Most generators turn a choice between a string and an integer into an empty type; all of them read any value.
      if (member.items?.anyOf) member.items = {};
    }
  }
  const bodies = Object.values(document.paths ?? {}).map((item) => item?.post?.requestBody);
  const allowNull = document.openapi.startsWith('3.0') ? allowNull30 : allowNull31;
  for (const { properties = {}, required = [] } of listReachable(schemas, bodies)) {
    for (const [name, member] of Object.entries(properties)) {
      if (!required.includes(name)) properties[name] = allowNull(member, schemas);
    }
  }
};

/** The components that a value refers to, and those that these refer to. */
const listReachable = (schemas: Schemas, value: unknown): Schema[] => {
  const names = new Set(listReferences(value));
  for (const name of names) for (const inner of listReferences(schemas[name])) names.add(inner);
  return [...names].flatMap((name) => schemas[name] ?? []);
};

const REFERENCE = /"\$ref":"#\/components\/schemas\/(\w+)"/g;

const listReferences = (value: unknown): string[] =>
  [...JSON.stringify(value ?? null).matchAll(REFERENCE)].map(([, name = '']) => name);

const allowNull31 = ({ $ref, ...member }: Schema): Schema => {
  if ($ref !== undefined) return { ...member, anyOf: [{ $ref }, { type: 'null' }] };
  const { type, anyOf, enum: values, ...others } = member;
  // Beside an enumeration, the type alone would not allow null.
  if (values && type) return { ...others, anyOf: [{ type, enum: values }, { type: 'null' }] };
  if (type !== undefined) return { ...member, type: [...new Set([type, 'null'].flat())] };
  if (!anyOf || anyOf.some((part) => part.type === 'null')) return member;
  return { ...member, anyOf: [...anyOf, { type: 'null' }] };
};

/** `nullable` counts only beside a type (OpenAPI 3.0.3), so that the type of what is referred to stands there once more. */
const allowNull30 = ({ $ref, ...member }: Schema, schemas: Schemas): Schema => {
  const allOf = $ref === undefined ? member.allOf : [{ $ref }];
  const referred = allOf?.[0]?.$ref?.split('/').at(-1) ?? '';
  const type = member.type ?? schemas[referred]?.type;
  return { ...member, ...(type && { type }), ...(allOf && { allOf }), nullable: true };
};
