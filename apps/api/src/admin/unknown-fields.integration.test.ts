// No procedure of the admin API ignores a field: the schemas of the router list every object of its inputs.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { TestService } from '../../test/test-service.ts';
import { startTestService } from '../../test/test-service.ts';
import type { AdminClient } from './testing/admin-client.ts';
import { createAdminClient, createSession } from './testing/admin-client.ts';
import type { ListedProcedure } from './testing/list-procedures.ts';
import { listProcedures } from './testing/list-procedures.ts';
import { createUnknownFieldCheck } from './unknown-fields.ts';

let service: TestService;
let admin: AdminClient;
let cookie: string;
beforeAll(async () => {
  service = await startTestService();
  admin = createAdminClient(service);
  ({ cookie } = await service.createPerson({ role: 'owner' }));
});
afterAll(() => service.close());

test('many and deeply nested unknown fields are a short error, also without a credential', async () => {
  const send = async (body: string) => {
    const response = await fetch(`${service.baseUrl}/admin/trpc/me.find`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    const { error } = JSON.parse(await response.text());
    return [response.status, error.data.error_code];
  };
  const nested = `{"token":${'['.repeat(4_000)}${']'.repeat(4_000)}}`;
  expect(await send(nested)).toEqual([400, 'input_invalid']);
  const many = Object.fromEntries(Array.from({ length: 700 }, (_, index) => [`_${index}`, 1]));
  expect(await send(JSON.stringify(many))).toEqual([400, 'input_invalid']);
  const refuse = createUnknownFieldCheck([z.object({ type: z.string() })]);
  const error = await refuse({ ...many, type: 'x'.repeat(50_000) }).catch((thrown) => thrown);
  expect(error.message.length).toBeLessThan(150_000);
});

const UNKNOWN = 'no_such_field';
/** They check the permission for the source before the other fields. */
const WITH_SOURCE = ['compare.list', 'changeSets.promote', 'itemSchemas.promote'];
type Path = (string | number)[];
type Probe = { input: unknown; path: Path };
type JsonSchema = {
  $ref?: string;
  properties?: Record<string, JsonSchema>;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  const?: unknown;
  enum?: unknown[];
};

/** One input for each object inside a schema: it has an unknown field in that object. */
const listProbes = (schema: JsonSchema, definitions: Record<string, JsonSchema>): Probe[] => {
  const { $ref, properties, items, anyOf = [], oneOf = [] } = schema;
  const target = $ref && definitions[$ref.slice('#/$defs/'.length)];
  if (target) return listProbes(target, definitions);
  const variants = [...anyOf, ...oneOf].flatMap((variant) => listProbes(variant, definitions));
  const elements = items ? listProbes(items, definitions) : [];
  const inList = elements.map(({ input, path }) => ({ input: [input], path: [0, ...path] }));
  if (!properties) return [...variants, ...inList];
  // One of the values names the variant of a union.
  const tags = Object.entries(properties).flatMap(([name, member]) => {
    const value = member.const ?? member.enum?.[0];
    return value === undefined ? [] : [[name, value]];
  });
  const own = Object.fromEntries(tags);
  const members = Object.entries(properties).flatMap(([name, member]) =>
    listProbes(member, definitions).map(({ input, path }) => ({
      input: { ...own, [name]: input },
      path: [name, ...path],
    })),
  );
  return [{ input: { ...own, [UNKNOWN]: 1 }, path: [UNKNOWN] }, ...members];
};

const probesOf = ({ inputs }: ListedProcedure): Probe[] =>
  inputs.flatMap((input) => {
    const schema = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' });
    return listProbes(schema as JsonSchema, (schema.$defs ?? {}) as Record<string, JsonSchema>);
  });

const ask = async ({ name, type }: ListedProcedure, input: unknown) => {
  const url = new URL(`${service.baseUrl}/admin/trpc/${name}`);
  const body = JSON.stringify(input);
  if (type === 'query') url.searchParams.set('input', body);
  const response = await fetch(url, {
    headers: { cookie, origin: service.baseUrl, 'content-type': 'application/json' },
    ...(type === 'mutation' && { method: 'POST', body }),
  });
  const { error } = (await response.json()) as { error?: { data: { detail?: unknown[] } } };
  return { status: response.status, detail: error?.data.detail ?? [] };
};

describe('an unknown field', () => {
  test.each(listProcedures())('is refused with its path by $name', async (procedure) => {
    const isSandbox = procedure.meta?.access === 'sandbox';
    const probes = probesOf(procedure);
    expect(probes).not.toEqual([]);
    for (const { input, path } of probes) {
      const { status, detail } = await ask(procedure, {
        ...(isSandbox && { sandbox_id: randomUUID() }),
        ...(WITH_SOURCE.includes(procedure.name) && { source_sandbox_id: randomUUID() }),
        ...(input as object),
      });
      const problem = { loc: ['body', ...path], msg: 'Unknown field', type: 'value_error.extra' };
      expect(detail).toContainEqual(problem);
      expect(status).toBe(400);
    }
  });

  test('is refused together with every other problem of the input', async () => {
    const { error } = await admin.mutate('sessions.create', {
      type: '',
      teams: [{ max_size: 2, players: [], size: 2 }],
    });
    expect(error).toMatchObject({
      detail: [{ loc: ['body', 'teams', 0, 'size'] }, { loc: ['body', 'type'] }],
    });
  });
});

test('a misspelt or misplaced precondition changes nothing', async () => {
  const { name, etag } = await createSession(admin);
  const stale = { ...name, expectedEtag: '"stale-1"' };
  expect((await admin.mutate('sessions.update', { ...stale, joinable: false })).status).toBe(400);
  expect((await admin.mutate('sessions.end', stale)).status).toBe(400);
  expect((await admin.query('sessions.get', name)).data).toMatchObject({ etag });
});

test('a resource that was read can be sent back, with the members that the service fills in', async () => {
  const { name, etag } = await createSession(admin);
  const { session } = (await admin.query('sessions.get', name)).data;
  const { instance: _, platform_session, ...fields } = session as Record<string, unknown>;
  expect((await admin.mutate('sessions.update', fields)).data).toMatchObject({ etag });
  const [child] = platform_session as object[];
  const added = await admin.mutate('sessions.addPlatformSession', { ...name, ...child });
  expect(added.data).toMatchObject({ etag });
  await admin.mutate('sessions.end', name);
  const again = await admin.mutate('sessions.create', session as object);
  expect(again.data).toMatchObject({ session });
});
