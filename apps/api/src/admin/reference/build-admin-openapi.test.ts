// The document of the admin API is complete: generated clients and their users have nothing else.
import { expect, test } from 'vitest';
import { createRouterOutline, listProcedures } from '../testing/list-procedures.ts';
import { buildAdminOpenApi } from './build-admin-openapi.ts';
import type { InputSchemas } from './member-descriptions.ts';
import { describeInputMembers } from './member-descriptions.ts';

const document = buildAdminOpenApi(createRouterOutline(), '1.0.0');
type Schema = { properties?: Record<string, { type?: unknown; anyOf?: unknown }> };
type Operation = {
  operationId: string;
  summary?: string;
  description?: string;
  requestBody?: { content: { 'application/json': { schema: { $ref?: string } } } };
  responses: Record<string, { content?: { 'application/json': { schema: { $ref?: string } } } }>;
};
const operations = Object.values(document.paths ?? {}).map(
  (item) => (item as { post: Operation }).post,
);

const toLowerCase = (name: string): string => name.toLowerCase();

test('has every procedure, each with an id of its own, a summary and its permission', () => {
  const paths = listProcedures().map(({ name }) => `/admin/trpc/${name}`);
  expect(Object.keys(document.paths ?? {})).toEqual(paths);
  expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(paths.length);
  expect(operations.filter(({ summary, description }) => !summary || !description)).toEqual([]);
});

test('names the schema of every input and every result, for generators', () => {
  for (const { operationId, requestBody, responses } of operations) {
    const input = requestBody?.content['application/json'].schema;
    const result = responses['200']?.content?.['application/json'].schema;
    expect([operationId, result?.$ref]).toEqual([operationId, expect.any(String)]);
    if (input) expect([operationId, input.$ref]).toEqual([operationId, expect.any(String)]);
  }
});

test('names the schema of the data in every result', () => {
  const inline = Object.entries(document.components?.schemas ?? {}).filter(
    ([name, schema]) =>
      /Success$/.test(name) &&
      name !== 'EmptySuccess' &&
      !/"data":{"\$ref"/.test(JSON.stringify(schema)),
  );
  expect(inline.map(([name]) => name)).toEqual([]);
  expect(document.components?.schemas).toHaveProperty('SessionsListOutput');
});

test('writes a constant as an enumeration of one value, which clients can remove', () => {
  expect(JSON.stringify(document)).not.toContain('"const"');
  expect(document.components?.schemas?.Deleted).toMatchObject({
    properties: { deleted: { type: 'boolean', enum: [true] } },
  });
});

test('has no tuples, which generators of Go and Python clients cannot read', () => {
  expect(JSON.stringify(document)).not.toContain('prefixItems');
});

test('leaves the names <operation>Response to the generators', () => {
  const names = new Set(Object.keys(document.components?.schemas ?? {}).map(toLowerCase));
  const taken = operations.filter(({ operationId }) =>
    names.has(toLowerCase(`${operationId}Response`)),
  );
  expect(taken.map(({ operationId }) => operationId)).toEqual([]);
});

test('gives every value one type besides null, and every number its size', () => {
  const places: string[] = [];
  const visit = (node: unknown, place: string): void => {
    if (typeof node !== 'object' || node === null) return;
    const { type, format } = node as { type?: unknown; format?: unknown };
    const types = [type].flat().filter((name) => typeof name === 'string' && name !== 'null');
    if (types.length > 1 || (types.includes('number') && !format)) places.push(place);
    for (const [key, value] of Object.entries(node)) visit(value, `${place}.${key}`);
  };
  visit(document.components?.schemas, 'schemas');
  expect(places).toEqual([]);
});

test('describes every member of an input', () => {
  expect(describeInputMembers(document.components?.schemas as InputSchemas)).toEqual([]);
});

test('has no member that only null can satisfy', () => {
  type Member = { type?: string | string[] };
  const schemas = Object.entries(document.components?.schemas ?? {});
  const members = schemas.flatMap(([name, schema]) =>
    Object.entries((schema as { properties?: Record<string, Member> }).properties ?? {}).map(
      ([member, { type }]) => ({ place: `${name}.${member}`, types: [type].flat() }),
    ),
  );
  const onlyNull = members.filter(({ types }) => types.every((type) => type === 'null'));
  expect(onlyNull.map(({ place }) => place)).toEqual([]);
});

test('refers to components that it has', () => {
  const text = JSON.stringify(document);
  const references = [...text.matchAll(/"#\/components\/(\w+)\/(\w+)"/g)];
  const components = document.components as Record<string, Record<string, unknown>>;
  const missing = references.filter(([, kind = '', name = '']) => !components[kind]?.[name]);
  expect(missing.map(([reference]) => reference)).toEqual([]);
  expect(references.length).toBeGreaterThan(500);
});

test('lists null among the values of every enumeration that allows it', () => {
  const objects: object[] = [];
  JSON.stringify(document.components?.schemas, (_name, value) => {
    if (value?.enum && [value.type].flat().includes('null')) objects.push(value);
    return value;
  });
  expect(objects).toEqual([]);
});

test('allows every optional member of an input its values besides null', () => {
  const isNullOnly = (member: { type?: unknown; anyOf?: unknown }): boolean =>
    JSON.stringify(member.type) === '["null"]' || /"null","null"/.test(JSON.stringify(member));
  const schemas = Object.entries(document.components?.schemas ?? {}) as [string, Schema][];
  const refused = schemas.flatMap(([name, { properties = {} }]) =>
    Object.keys(properties)
      .filter((member) => isNullOnly(properties[member] ?? {}))
      .map((member) => `${name}.${member}`),
  );
  expect(refused).toEqual([]);
  expect(document.components?.schemas?.ItemsUpdateInput).toMatchObject({
    additionalProperties: false,
    properties: { description: { anyOf: expect.arrayContaining([{ type: 'null' }]) } },
  });
});
