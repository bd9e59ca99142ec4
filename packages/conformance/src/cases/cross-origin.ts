import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { expectRefusal } from '../checks.ts';
import { joinBody } from '../fixtures/joins.ts';
import { ROUTES } from '../fixtures/routes.ts';
import type { Context } from '../target/context.ts';
import { bearer, inSection } from '../target/context.ts';
import type { Answer } from '../target/send-request.ts';

const prove = inSection('Cross-origin requests');

/** In no list of any service. */
const unlistedOrigin = (): string => `https://${randomUUID()}.example`;

const preflight = (context: Context, path: string, origin: string, method: string) => {
  const headers = { origin, 'access-control-request-method': method };
  return context.send({ method: 'OPTIONS', path, headers });
};

/** The request as a page sends it, with a token unless `headers` say otherwise. */
const sendFromPage = (
  context: Context,
  [, method, path]: (typeof ROUTES)[number],
  origin: string,
  headers: Record<string, string> = bearer(context.token),
) => {
  const sent = { ...headers, origin };
  return method === 'GET'
    ? context.get(path, sent)
    : context.postText(path, JSON.stringify(joinBody()), sent);
};

const expectClosed = ({ headers }: Answer): void => {
  const opened = Object.keys(headers).filter((name) => name.startsWith('access-control-'));
  assert.deepEqual(opened, []);
};

const listOf = (answer: Answer, name: string): string[] =>
  String(answer.headers[name] ?? '')
    .toLowerCase()
    .split(/,\s*/);

const expectListed = (answer: Answer, name: string, values: readonly string[]): void => {
  const listed = listOf(answer, name);
  for (const value of values) assert.ok(listed.includes(value), `${name}: ${listed}`);
};

const expectOpen = (answer: Answer, origin: string): void => {
  assert.equal(answer.headers['access-control-allow-origin'], origin);
  assert.equal(answer.headers['access-control-allow-credentials'], undefined);
  expectListed(answer, 'vary', ['origin']);
};

const everyRoute = ROUTES.flatMap((route) => {
  const [name, method, path] = route;
  return [
    prove(
      `${name} tells a page of an origin that is not listed nothing, and its preflight is 405`,
      async (context) => {
        expectClosed(await sendFromPage(context, route, unlistedOrigin()));
        expectClosed(await sendFromPage(context, route, 'null'));
        const answer = await preflight(context, path, unlistedOrigin(), method);
        expectRefusal(answer, 405, 'method_not_allowed');
        expectClosed(answer);
      },
    ),
    prove(`CORS_ORIGINS opens ${name} to a page: the preflight is 204`, async (context) => {
      const origin = context.requireCorsOrigin();
      const answer = await preflight(context, path, origin, method);
      assert.equal(answer.status, 204);
      assert.equal(answer.text, '');
      expectOpen(answer, origin);
      expectListed(answer, 'access-control-allow-methods', [method.toLowerCase()]);
      const headers = [
        'authorization',
        'content-type',
        'traceparent',
        'tracestate',
        'x-request-id',
      ];
      expectListed(answer, 'access-control-allow-headers', headers);
    }),
    prove(`a page may read the answers and refusals of ${name}`, async (context) => {
      const origin = context.requireCorsOrigin();
      const badToken = { authorization: 'Bearer x' };
      for (const headers of [bearer(context.token), badToken]) {
        const answer = await sendFromPage(context, route, origin, headers);
        expectOpen(answer, origin);
        const exposed = ['etag', 'retry-after', 'x-request-id'];
        expectListed(answer, 'access-control-expose-headers', exposed);
      }
    }),
  ];
});

export const crossOriginCases = [
  ...everyRoute,
  prove('CORS_ORIGINS opens nothing of the admin API', async (context) => {
    const origin = context.requireCorsOrigin();
    const path = '/admin/trpc/me.get';
    const answer = await preflight(context, path, origin, 'GET');
    assert.notEqual(answer.status, 204);
    expectClosed(answer);
    expectClosed(await context.get(path, { ...bearer(context.token), origin }));
  }),
];
