import { MAX_PLATFORM_SESSION_ID_BYTES } from '@muster/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BODY, createEdgeClient, ITEMS, joinPath, problemsOf } from '../../test/public-client.ts';
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

describe('problems', () => {
  it('lists those of path, query and body in one answer, each once', async () => {
    const path = `${joinPath('a', 'Nowhere', 'no-uuid')}?player_id=x`;
    expect(problemsOf(await client.join(path, { team_id: 'x' }))).toEqual([
      ['path.platform', 'type_error.enum'],
      ['path.player_uuid', 'type_error.uuid'],
      ['query.player_id', 'type_error.integer'],
      ['body.client_version', 'value_error.missing'],
      ['body.client_settings', 'value_error.missing'],
      ['body.team_id', 'type_error.integer'],
    ]);
  });

  it('lists them all also when the body is no JSON and has the wrong type', async () => {
    const path = `${joinPath('a', 'Nowhere', 'no-uuid')}?player_id=x`;
    expect(problemsOf(await client.join(path, '{', { 'content-type': 'text/plain' }))).toEqual([
      ['path.platform', 'type_error.enum'],
      ['path.player_uuid', 'type_error.uuid'],
      ['query.player_id', 'type_error.integer'],
      ['header.content-type', 'value_error.content_type'],
      ['body', 'value_error.jsondecode'],
    ]);
  });

  it('lists them all also when escapes are malformed', async () => {
    const path = `${joinPath('%zz', 'Nowhere', '%ff')}?player_id=%e4&other=%`;
    expect(problemsOf(await client.join(path, {}))).toEqual([
      ['path.platform_session_id_base64', 'value_error.percent_encoding'],
      ['path.player_uuid', 'value_error.percent_encoding'],
      ['path.platform', 'type_error.enum'],
      ['query.player_id', 'value_error.percent_encoding'],
      ['query.other', 'value_error.percent_encoding'],
      ['body.client_version', 'value_error.missing'],
      ['body.client_settings', 'value_error.missing'],
      ['body.team_id', 'value_error.missing'],
    ]);
  });

  it.each(['%', '%4', '%zz', '%ff', '%c0%af', '%ed%a0%80'])(
    'refuses the escape %s in a query once, next to the other problems',
    async (malformed) => {
      const answer = await client.ask(`${ITEMS}?name=${malformed}&name=${malformed}&page_size=0`);
      expect(problemsOf(answer).sort()).toEqual([
        ['query.name', 'value_error.percent_encoding'],
        ['query.page_size', 'value_error.number.not_ge'],
      ]);
    },
  );

  it('reads every pair of a long query', async () => {
    const filler = 'x=1&'.repeat(5_000);
    expect(problemsOf(await client.ask(`${ITEMS}?${filler}page_size=0`))).toHaveLength(1);
  });
});

describe('path parameters', () => {
  const ids = ['a%2Fb', 'a%2fb%3D%3D', 'a+b=', 'a%2Bb', 'a:b', '%25', '%E2%82%AC', '.', '..%2F'];

  it.each(ids)('takes the platform session id %s', async (id) => {
    const request = `POST ${joinPath(id)} HTTP/1.1\r\nHost: a\r\nAuthorization: ${client.authorization}\r\nContent-Type: application/json\r\nContent-Length: ${JSON.stringify(BODY).length}\r\n\r\n${JSON.stringify(BODY)}`;
    const answer = await sendRaw(service.baseUrl, request);
    expect(JSON.parse(answer.body).error_code).toBe('platform_session_not_found');
  });

  it('takes the longest id that a backend can register, in 30 KiB of escapes', async () => {
    const id = encodeURIComponent('🎲'.repeat(MAX_PLATFORM_SESSION_ID_BYTES / 4));
    expect((await client.join(joinPath(id), BODY)).status).toBe(404);
  });

  it('takes an id of 4,096 characters in 12 KiB of escapes, and refuses one more', async () => {
    expect((await client.join(joinPath('%2F'.repeat(4_096)), BODY)).status).toBe(404);
    expect(problemsOf(await client.join(joinPath('%2F'.repeat(4_097)), BODY))).toEqual([
      ['path.platform_session_id_base64', 'value_error.any_str.max_length'],
    ]);
  });
});
