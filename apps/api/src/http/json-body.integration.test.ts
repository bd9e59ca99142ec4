import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BODY, createEdgeClient, ITEMS, JOIN, problemsOf } from '../../test/public-client.ts';
import { sendRaw } from '../../test/raw-client.ts';
import type { TestService } from '../../test/test-service.ts';
import { startTestService } from '../../test/test-service.ts';

let service: TestService;
let client: Awaited<ReturnType<typeof createEdgeClient>>;
beforeAll(async () => {
  service = await startTestService();
  client = await createEdgeClient(service);
});
afterAll(() => service.close());

describe('bodies', () => {
  const padded = (size: number) => JSON.stringify(BODY).padEnd(size);

  it('takes a join of 128 KiB and refuses one byte more, also in chunks', async () => {
    expect((await client.join(JOIN, padded(131_072))).body.error_code).toBe(
      'platform_session_not_found',
    );
    expect((await client.join(JOIN, padded(131_073))).status).toBe(413);
    const inChunks = async (size: number) => {
      const body = new Blob([padded(size)]).stream();
      return client.ask(JOIN, { method: 'POST', body, duplex: 'half' } as RequestInit);
    };
    expect((await inChunks(131_072)).body.error_code).toBe('platform_session_not_found');
    expect((await inChunks(131_073)).status).toBe(413);
  });

  it('keeps the connection usable after a body that it refused unread', async () => {
    const head = `POST ${JOIN} HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello`;
    const answer = await sendRaw(
      service.baseUrl,
      `${head}GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n`,
      /"ok"}$/,
    );
    expect(answer.text).toMatch(/^HTTP\/1.1 403[\s\S]*HTTP\/1.1 200/);
  });

  it.each(['gzip', 'br', 'deflate', 'GZIP', 'identity, gzip'])(
    'refuses the content encoding %s with 415',
    async (encoding) => {
      const answer = await client.join(JOIN, BODY, { 'content-encoding': encoding });
      expect([answer.status, answer.body.error_code]).toEqual([415, 'body_compressed']);
    },
  );

  it('takes the content encoding identity', async () => {
    expect((await client.join(JOIN, BODY, { 'content-encoding': 'Identity' })).status).toBe(404);
  });

  it.each([
    'application/json',
    'Application/JSON; charset=UTF-8',
    'application/json;charset="utf-8"',
    'application/json; profile=x',
  ])('takes the content type %s', async (type) => {
    expect((await client.join(JOIN, BODY, { 'content-type': type })).status).toBe(404);
  });

  it.each([
    'text/plain',
    'application/jsonp',
    'application/json; charset=latin1',
    'application/x-www-form-urlencoded',
    'json',
  ])('refuses the content type %s at its header', async (type) => {
    expect(problemsOf(await client.join(JOIN, BODY, { 'content-type': type }))).toEqual([
      ['header.content-type', 'value_error.content_type'],
    ]);
  });

  it('refuses a body without content type, and a missing body', async () => {
    const { authorization } = client;
    const body = new Uint8Array(Buffer.from(JSON.stringify(BODY)));
    const untyped = await client.ask(JOIN, { method: 'POST', headers: { authorization }, body });
    expect(problemsOf(untyped)).toEqual([['header.content-type', 'value_error.missing']]);
    const empty = await client.ask(JOIN, { method: 'POST', headers: { authorization } });
    expect(problemsOf(empty)).toEqual([['body', 'value_error.missing']]);
  });

  it.each([
    ['{"a":', 'value_error.jsondecode'],
    ['{} {}', 'value_error.jsondecode'],
    ['NaN', 'value_error.jsondecode'],
    [new Uint8Array([0x22, 0xff, 0x22]), 'value_error.unicode'],
    [new Uint8Array([0xed, 0xa0, 0x80]), 'value_error.unicode'],
    ['[]', 'type_error.dict'],
    ['null', 'type_error.dict'],
    ['"text"', 'type_error.dict'],
  ])('refuses the body %s at ["body"], however large it is', async (body, type) => {
    expect(problemsOf(await client.join(JOIN, body))).toEqual([['body', type]]);
    const large = Buffer.concat([Buffer.from(body), Buffer.alloc(70_000, ' ')]);
    expect(problemsOf(await client.join(JOIN, large))).toEqual([['body', type]]);
  });

  it('survives a body that nests tens of thousands of levels deep', async () => {
    const nest = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
    const withMember = (member: string) =>
      JSON.stringify(BODY).replace('{', `{"${member}":${nest(60_000)},`);
    expect((await client.join(JOIN, withMember('x'))).status).toBe(404);
    expect(problemsOf(await client.join(JOIN, withMember('custom_data')))).toEqual([
      ['body.custom_data', 'type_error.dict'],
    ]);
    expect(problemsOf(await client.join(JOIN, nest(60_000)))).toEqual([
      ['body', 'type_error.dict'],
    ]);
    expect(problemsOf(await client.join(JOIN, '['.repeat(120_000)))).toEqual([
      ['body', 'value_error.jsondecode'],
    ]);
    expect((await client.join(JOIN, nest(70_000))).status).toBe(413);
  });

  it('ignores the body of a GET', async () => {
    const request = `GET ${ITEMS} HTTP/1.1\r\nHost: a\r\nAuthorization: ${client.authorization}\r\nContent-Encoding: gzip\r\nContent-Length: 3\r\n\r\n{{{`;
    expect((await sendRaw(service.baseUrl, request)).status).toBe(200);
  });

  it('leaves harmless what would change prototypes', async () => {
    const body = `{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}`;
    await client.join(`${JOIN}?__proto__=1&__proto__[polluted]=1&constructor=2`, body);
    expect((await client.ask(`${ITEMS}?__proto__=x&toString=1&hasOwnProperty=1`)).status).toBe(200);
    expect('polluted' in {}).toBe(false);
  });
});
