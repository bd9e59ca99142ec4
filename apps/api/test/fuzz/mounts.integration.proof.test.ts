// Fuzzes all other routes: exports, imports, sign-in, documents, health, metrics, pages, and unknown paths.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { ACCOUNTS_PATH, AUTH_ENDPOINTS } from '../../src/auth/index.ts';
import type { Check } from './check-answer.ts';
import { checkRefusal, parseJson } from './check-answer.ts';
import type { FuzzFixture } from './fuzz-fixture.ts';
import { createFuzzFixture } from './fuzz-fixture.ts';
import type { JsonSchema } from './json-schema-arbitrary.ts';
import { arbitraryOf } from './json-schema-arbitrary.ts';
import { SANDBOXES } from './known-values.ts';
import type { ValidRequest } from './request-arbitrary.ts';
import { requestsLike } from './request-arbitrary.ts';
import { casesOf, runFuzz } from './run-fuzz.ts';

let fixture: FuzzFixture;
beforeAll(async () => {
  fixture = await createFuzzFixture();
});
afterAll(() => fixture.close());

const known = (name: string) => fixture.known(name);
const authorised = (): [string, string][] => [['authorization', fixture.authorization]];
const text = { type: 'string' };
const digits = { type: 'integer', minimum: 0 };

/** Parameters by their names in the routes; all are optional. */
const EXPORT_QUERY: JsonSchema = {
  type: 'object',
  properties: {
    view: { enum: ['records', 'versions'] },
    format: { enum: ['ndjson', 'csv'] },
    name: text,
    as_of: digits,
    after: { anyOf: [digits, { type: 'string', format: 'uuid' }] },
    record_id: text,
    account_id: text,
    operation: { enum: ['insert', 'delete'] },
    transaction_id: text,
    changed_field: { enum: ['name', 'tags'] },
    from: text,
    to: text,
  },
};
const IMPORT_QUERY: JsonSchema = {
  type: 'object',
  properties: {
    mode: { enum: ['dry_run', 'draft', 'apply'] },
    format: { enum: ['ndjson', 'csv'] },
    delete_missing: { enum: ['true', 'false'] },
    reason: text,
    confirm_sandbox_name: text,
    expected_head_seq: digits,
    title: text,
    errors_from: digits,
    columns: {
      enum: ['auto', '{"Cost":"custom_data.price","b":null}', '{"b":"price"}', '[]', 'x'],
    },
    plan_digest: { enum: ['0'.repeat(64), 'x'] },
  },
};

const target = fc.record({
  sandbox: fc.constantFrom(...SANDBOXES),
  kind: fc.constantFrom('item', 'xp'),
});

const exports = () =>
  fc.record({ target, query: arbitraryOf(EXPORT_QUERY, { known }) }).map(
    ({ target: { sandbox, kind }, query }): ValidRequest => ({
      method: 'GET',
      segments: ['admin', 'export', sandbox, kind],
      query: Object.entries(query as object),
      headers: authorised(),
    }),
  );

/** A file of records with known ids, in a body that is mutated like any other. */
const RECORD: JsonSchema = {
  type: 'object',
  properties: {
    item_id: text,
    xp_id: text,
    name: text,
    item_type: { enum: ['unit', 'recipe'] },
    legacy_item_id: digits,
    tags: { type: 'array', items: text },
    custom_data: { type: 'object', additionalProperties: text },
    xp_thresholds: {
      type: 'array',
      items: { type: 'object', properties: { level: digits, xp: digits } },
    },
  },
};
const imports = () =>
  fc
    .record({
      target,
      query: arbitraryOf(IMPORT_QUERY, { known }),
      row: arbitraryOf(RECORD, { known }),
    })
    .map(
      ({ target: { sandbox, kind }, query, row }): ValidRequest => ({
        method: 'POST',
        segments: ['admin', 'import', sandbox, kind],
        query: Object.entries(query as object),
        body: row,
        headers: [...authorised(), ['content-type', 'application/x-ndjson']],
      }),
    );

/** Each with its own address; otherwise the rate limit would refuse most of them. */
const signIns = () =>
  fc.oneof(
    ...Object.entries(AUTH_ENDPOINTS).map(([path, { method, body }]) => {
      const schema = body
        ? (z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' }) as JsonSchema)
        : {};
      return fc
        .record({
          body: arbitraryOf(schema, { known: knownPerson }),
          address: fc.ipV4(),
          signedIn: fc.boolean(),
        })
        .map(
          (given): ValidRequest => ({
            method,
            segments: [...ACCOUNTS_PATH.slice(1).split('/'), ...path.slice(1).split('/')],
            query: [],
            headers: [
              ['origin', fixture.service.baseUrl],
              ['x-forwarded-for', given.address],
              ['content-type', 'application/json'],
              ...(given.signedIn ? [['cookie', fixture.owner.cookie] as const] : []),
            ],
            ...(method === 'POST' && { body: given.body ?? {} }),
          }),
        );
    }),
  );
const knownPerson = (name: string) =>
  name === 'email'
    ? [fixture.owner.email]
    : name === 'password'
      ? ['a wrong password']
      : known(name);

const PATHS = [
  '/',
  '/healthz',
  '/readyz',
  '/metrics',
  '/docs',
  '/docs/docs.js',
  '/openapi.json',
  '/openapi-3.0.json',
  '/openapi-companion.json',
  '/login',
  '/s/x/items',
  '/sessions',
  '/assets/index.js',
  '/assets/..%2fpackage.json',
  '/favicon.ico',
  '/admin',
  '/admin/trpc',
  '/admin/export',
  '/admin/audit/export',
  '/admin/import/x',
  '/admin/auth',
  '/v1/history',
  '/session/v1',
];
const others = () =>
  fc
    .record({
      path: fc.constantFrom(...PATHS),
      body: fc.option(fc.jsonValue(), { nil: undefined }),
      isAuthorised: fc.boolean(),
    })
    .map(
      ({ path, body, isAuthorised }): ValidRequest => ({
        method: 'GET',
        segments: path.slice(1).split('/'),
        query: [],
        headers: isAuthorised ? authorised() : [],
        ...(body !== undefined && { body }),
      }),
    );

/** Errors have one shape everywhere; other responses depend on the route. */
const checkShape: Check = (request, answer) => {
  if (answer.status < 400 || answer.status === 503)
    return ANSWERED.has(answer.status) ? [] : [`${answer.status} is not documented.`];
  const isTrpc = typeof parseJson(answer.text) === 'object' && /"httpStatus"/.test(answer.text);
  return isTrpc ? [] : checkRefusal(request, answer);
};
/** 503: apps/web was not built; any other 503 is already a finding. */
const ANSWERED = new Set([200, 204, 207, 302, 304, 308, 503]);

it.each([
  { title: 'exports', share: 0.05, requests: exports },
  { title: 'imports', share: 0.06, requests: imports },
  { title: 'sign-in', share: 0.05, requests: signIns },
  { title: 'other paths', share: 0.04, requests: others },
])(
  'answers every request to $title in a documented way',
  async ({ title, share, requests }) => {
    const run = {
      title,
      requests: requestsLike(requests()),
      check: checkShape,
      cases: casesOf(share),
    };
    const tally = await runFuzz(fixture, run);
    expect(tally.get(200) ?? 0).toBeGreaterThan(0);
  },
  300_000,
);
