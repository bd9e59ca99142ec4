// Fuzzes the three public endpoints, from the published document and from mutated valid requests.
import { readFile } from 'node:fs/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { z } from 'zod';
import { findPublicRoute } from '../../src/http/public-request.ts';
import type { Check } from './check-answer.ts';
import { checkRefusal, parseJson } from './check-answer.ts';
import type { FuzzFixture } from './fuzz-fixture.ts';
import { createFuzzFixture } from './fuzz-fixture.ts';
import type { JsonSchema } from './json-schema-arbitrary.ts';
import { arbitraryOf } from './json-schema-arbitrary.ts';
import type { ValidRequest } from './request-arbitrary.ts';
import { requestsLike } from './request-arbitrary.ts';
import { casesOf, runFuzz } from './run-fuzz.ts';

type Parameter = { in: 'path' | 'query'; name: string; required?: boolean; schema: JsonSchema };
type Operation = {
  parameters: Parameter[];
  requestBody?: { content: Record<string, { schema: JsonSchema }> };
};
type Document = {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, JsonSchema> };
};

const document: Document = JSON.parse(
  await readFile(new URL('../../../../contracts/openapi.json', import.meta.url), 'utf8'),
);
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
);

let fixture: FuzzFixture;
beforeAll(async () => {
  fixture = await createFuzzFixture();
});
afterAll(() => fixture.close());

const objectOf = (parameters: Parameter[]): JsonSchema => ({
  type: 'object',
  properties: Object.fromEntries(parameters.map(({ name, schema }) => [name, schema])),
  required: parameters.filter(({ required }) => required).map(({ name }) => name),
});

const validRequests = ({ path, method, operation }: (typeof operations)[number]) => {
  const options = {
    known: (name: string) => fixture.known(name),
    definitions: document.components.schemas,
  };
  const part = (place: Parameter['in']) =>
    arbitraryOf(objectOf(operation.parameters.filter((one) => one.in === place)), options);
  const body = operation.requestBody?.content['application/json']?.schema;
  return fc
    .record({
      path: part('path'),
      query: part('query'),
      body: body ? arbitraryOf(body, options) : fc.constant(undefined),
    })
    .map((given): ValidRequest => {
      const names = given.path as Record<string, string>;
      const segments = path.slice(1).split('/');
      return {
        method: method.toUpperCase(),
        segments: segments.map((segment) => names[/^{(.+)}$/.exec(segment)?.[1] ?? ''] ?? segment),
        query: Object.entries(given.query as object),
        headers: [
          ['authorization', fixture.authorization],
          ...(given.body === undefined ? [] : [['content-type', 'application/json'] as const]),
        ],
        ...(given.body !== undefined && { body: given.body }),
      };
    });
};

/** If the mutated path still leads to a route, only its declared responses; otherwise an error. */
const check: Check = (request, answer) => {
  const match = findPublicRoute(request.target.split('?', 1)[0] ?? '');
  if (!match) return answer.status < 400 ? [] : checkRefusal(request, answer);
  const responses = match.route.responses as Record<number, z.ZodType>;
  const schema = responses[answer.status];
  if (!schema)
    return BEFORE_ANY_ROUTE.has(answer.status)
      ? checkRefusal(request, answer)
      : [`${answer.status} is not declared.`];
  if (request.method === 'HEAD') return [];
  if (answer.status >= 400) return checkRefusal(request, answer);
  return schema.safeParse(parseJson(answer.text)).success
    ? []
    : ['The body does not match its schema.'];
};
/** Invalid HTTP is refused before routing. */
const BEFORE_ANY_ROUTE = new Set([400]);

it.each(operations.map((one) => ({ ...one, title: `${one.method.toUpperCase()} ${one.path}` })))(
  'answers every request like $title according to the contract',
  async (one) => {
    const cases = casesOf(0.3 / operations.length);
    const tally = await runFuzz(fixture, {
      title: one.title,
      requests: requestsLike(validRequests(one)),
      check,
      cases,
    });
    expect(tally.get(200) ?? 0).toBeGreaterThan(cases / 20);
    expect(tally.get(422) ?? 0).toBeGreaterThan(cases / 20);
  },
  300_000,
);
