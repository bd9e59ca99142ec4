import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { expectProblems, expectRefusal, expectSession } from '../checks.ts';
import { joinBody, joinPath } from '../fixtures/joins.ts';
import { ROUTES } from '../fixtures/routes.ts';
import { newScene } from '../fixtures/sessions.ts';
import type { Context } from '../target/context.ts';
import { bearer, inSection } from '../target/context.ts';
import type { Answer, HttpRequest } from '../target/send-request.ts';

const prove = inSection('HTTP');

const MAX_BODY_BYTES = 128 * 1024;
const MAX_HEAD_BYTES = 32 * 1024;

/** Sends a join that is valid except for `fields`. */
const sendJoin = async (
  context: Context,
  { headers, ...request }: Partial<HttpRequest>,
): Promise<Answer> => {
  const path = joinPath(...(await newScene(context)));
  const all = { ...bearer(context.token), 'content-type': 'application/json', ...headers };
  return context.send({
    method: 'POST',
    path,
    body: JSON.stringify(joinBody()),
    ...request,
    headers: all,
  });
};

/** A valid join body of exactly this many bytes. */
const bodyOfBytes = (bytes: number): string => {
  const empty = JSON.stringify(joinBody({ padding: '' }));
  return JSON.stringify(joinBody({ padding: 'x'.repeat(bytes - empty.length) }));
};

const UNKNOWN_PATHS = [
  '/',
  '/v1',
  '/v1/history',
  '/v1/history/sandbox',
  `/v1/history/sandbox/${randomUUID()}`,
  `/v1/history/sandbox/${randomUUID()}/items/`,
  `/v1/history/sandbox/${randomUUID()}/item/extra`,
  `/v2/history/sandbox/${randomUUID()}/item/`,
  '/session/v1/platform/Steam/platform-session/abc/player',
  `/session/v2/platform/Steam/platform-session/abc/player/${randomUUID()}`,
  `/session/v1/platform/Steam/platform-session/abc/player/${randomUUID()}/extra`,
  '/nothing/here',
];

const wrongContentTypes = [
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/xml',
];

export const httpCases = [
  prove('an unknown route is 404 route_not_found, as JSON', async (context) => {
    for (const path of UNKNOWN_PATHS.slice(1)) {
      expectRefusal(await context.get(path), 404, 'route_not_found');
    }
  }),
  prove('an unknown route is 404 for every method, before the credential', async (context) => {
    for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'PATCH']) {
      const answer = await context.send({ method, path: '/nothing/here' });
      expectRefusal(answer, 404, 'route_not_found');
    }
  }),
  ...ROUTES.flatMap(([name, allowed, path]) =>
    ['GET', 'POST', 'PUT', 'DELETE', 'PATCH']
      .filter((method) => method !== allowed)
      .map((method) =>
        prove(`${method} on ${name} is 405 with Allow, before the credential`, async (context) => {
          const answer = await context.send({ method, path });
          expectRefusal(answer, 405, 'method_not_allowed');
          const allow = (answer.headers.allow ?? '').split(/,\s*/);
          assert.ok(allow.includes(allowed), `Allow: ${answer.headers.allow}`);
          assert.ok(!allow.includes(method), `Allow: ${answer.headers.allow}`);
        }),
      ),
  ),
  prove('route and method are checked before the size', async (context) => {
    const body = bodyOfBytes(MAX_BODY_BYTES + 1);
    const unknown = await sendJoin(context, { path: '/nothing/here', body });
    expectRefusal(unknown, 404, 'route_not_found');
    expectRefusal(await sendJoin(context, { method: 'PUT', body }), 405, 'method_not_allowed');
  }),
  prove('malformed JSON is a 422', async (context) => {
    for (const body of [
      '{',
      '{"a":}',
      "{'a':1}",
      '{"team_id":01}',
      '{} {}',
      'undefined',
      '\ufeff{',
    ]) {
      expectProblems(await sendJoin(context, { body }));
    }
  }),
  prove('an empty body is a 422', async (context) => {
    expectProblems(await sendJoin(context, { body: '' }));
  }),
  ...wrongContentTypes.map((type) =>
    prove(`the content type ${type} is a 422`, async (context) => {
      expectProblems(await sendJoin(context, { headers: { 'content-type': type } }));
    }),
  ),
  prove('a body without a content type is a 422', async (context) => {
    const path = joinPath(...(await newScene(context)));
    const body = JSON.stringify(joinBody());
    const headers = bearer(context.token);
    expectProblems(await context.send({ method: 'POST', path, headers, body }));
  }),
  prove('application/json may carry a charset and any case', async (context) => {
    for (const type of ['application/json; charset=utf-8', 'Application/JSON;charset=UTF-8']) {
      expectSession(await sendJoin(context, { headers: { 'content-type': type } }));
    }
  }),
  ...['gzip', 'deflate', 'br'].map((encoding) =>
    prove(`a body with Content-Encoding ${encoding} is 415, as JSON`, async (context) => {
      const body = gzipSync(JSON.stringify(joinBody()));
      const answer = await sendJoin(context, { body, headers: { 'content-encoding': encoding } });
      assert.equal(answer.status, 415);
      expectRefusal(answer, 415, String((answer.body as { error_code?: string }).error_code));
    }),
  ),
  prove('a body of exactly 128 KiB is read', async (context) => {
    expectSession(await sendJoin(context, { body: bodyOfBytes(MAX_BODY_BYTES) }));
  }),
  prove('a chunked body of exactly 128 KiB is read', async (context) => {
    expectSession(await sendJoin(context, { body: bodyOfBytes(MAX_BODY_BYTES), chunked: true }));
  }),
  prove('a body of 128 KiB and one byte is 413', async (context) => {
    const answer = await sendJoin(context, { body: bodyOfBytes(MAX_BODY_BYTES + 1) });
    expectRefusal(answer, 413, 'body_too_large');
  }),
  prove('a chunked body of 128 KiB and one byte is 413', async (context) => {
    const answer = await sendJoin(context, {
      body: bodyOfBytes(MAX_BODY_BYTES + 1),
      chunked: true,
    });
    expectRefusal(answer, 413, 'body_too_large');
  }),
  prove('a chunked body of a valid join is read', async (context) => {
    expectSession(await sendJoin(context, { chunked: true }));
  }),
  prove('the credential is checked before the size', async (context) => {
    const headers = { authorization: 'Bearer nonsense' };
    const answer = await sendJoin(context, { body: bodyOfBytes(MAX_BODY_BYTES + 1), headers });
    expectRefusal(answer, 403, 'auth_not_jwt', 'auth_token_unknown');
  }),
  prove('the size is checked before the shape', async (context) => {
    const path = '/session/v1/platform/Nowhere/platform-session/a/player/me';
    const answer = await sendJoin(context, { path, body: 'x'.repeat(MAX_BODY_BYTES + 1) });
    expectRefusal(answer, 413, 'body_too_large');
  }),
  prove('request line and headers together up to 32 KiB are accepted', async (context) => {
    // Leaves 2 KiB for the path, the token and what a proxy adds.
    const headers = { 'x-padding': 'x'.repeat(MAX_HEAD_BYTES - 2 * 1024) };
    expectSession(await sendJoin(context, { headers }));
  }),
  prove('headers over 32 KiB are 431, as JSON', async (context) => {
    const padding = `x-padding: ${'x'.repeat(MAX_HEAD_BYTES)}`;
    // A proxy keeps the connection open otherwise.
    const lines = ['GET / HTTP/1.1', 'host: a', 'connection: close', padding, '', ''];
    expectRefusal(await context.sendBytes(lines.join('\r\n')), 431, 'headers_too_large');
  }),
  prove('a request line over 32 KiB is 431, as JSON', async (context) => {
    const bytes = `GET /${'x'.repeat(MAX_HEAD_BYTES)} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n`;
    expectRefusal(await context.sendBytes(bytes), 431, 'headers_too_large');
  }),
  prove('bytes that are not HTTP get a 4xx, as JSON', async (context) => {
    for (const bytes of [
      'nonsense\r\n\r\n',
      'GET / HTTP/9.9\r\n\r\n',
      'GET  / HTTP/1.1\r\nx\r\n\r\n',
    ]) {
      const answer = await context.sendBytes(bytes);
      assert.ok(answer.status >= 400 && answer.status < 500, `status ${answer.status}`);
      assert.match(answer.headers['content-type'] ?? '', /^application\/json\b/);
      assert.ok(answer.body, answer.text);
    }
  }),
  prove('header names have no case', async (context) => {
    const path = joinPath(...(await newScene(context)));
    const body = JSON.stringify(joinBody());
    const headers = {
      AUTHORIZATION: `Bearer ${context.token}`,
      'CoNtEnT-tYpE': 'application/json',
    };
    expectSession(await context.send({ method: 'POST', path, headers, body }));
  }),
  prove('a failure is never HTML and shows no stack trace', async (context) => {
    const paths = ['/nothing', '/%ZZ', `/v1/history/sandbox/%/item/`, '/session/v1/platform/%FF'];
    for (const path of paths) {
      const answer = await context.get(path);
      assert.ok(answer.status >= 400 && answer.status < 500, `${path}: ${answer.status}`);
      assert.match(answer.headers['content-type'] ?? '', /^application\/json\b/);
      assert.doesNotMatch(answer.text, /<html|node_modules|\bat .*:\d+:\d+/i);
    }
  }),
  prove('HEAD never answers a body, nor a server error', async (context) => {
    for (const [, , path] of ROUTES) {
      const answer = await context.send({
        method: 'HEAD',
        path,
        headers: bearer(context.token),
      });
      assert.equal(answer.text, '');
      assert.ok(answer.status < 500, `status ${answer.status}`);
    }
  }),
];
