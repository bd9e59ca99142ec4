// A list that a client writes with brackets is refused: an ignored filter would return the whole history.
import { contract } from '@muster/contract';
import { initClient } from '@ts-rest/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  BODY,
  createEdgeClient,
  ITEMS,
  JOIN,
  problemsOf,
  SANDBOX,
} from '../../test/public-client.ts';
import type { TestService } from '../../test/test-service.ts';
import { startTestService } from '../../test/test-service.ts';

const XP = ITEMS.replace('/item/', '/xp/');
const TYPE = 'value_error.bracketed_list';

let service: TestService;
let open: TestService;
let client: Awaited<ReturnType<typeof createEdgeClient>>;
beforeAll(async () => {
  service = await startTestService();
  const { databaseUrl } = service;
  open = await startTestService({ databaseUrl, env: { HISTORY_ACCESS: 'public' } });
  client = await createEdgeClient(service);
});
afterAll(async () => {
  await open.close();
  await service.close();
});

/** Written in a query, and the name that it decodes to. */
const FORMS = [
  ['[]', '[]'],
  ['%5B%5D', '[]'],
  ['%5b]', '[]'],
  ['[0]', '[0]'],
  ['%5B17%5D', '[17]'],
  ['[a]', '[a]'],
  ['[][]', '[][]'],
  ['[0][id]', '[0][id]'],
  ['[', '['],
  ['[ä]', '[ä]'],
] as const;

const LISTS = [
  ['item_ids', ITEMS],
  ['legacy_item_ids', ITEMS],
  ['xp_ids', XP],
  ['legacy_xp_ids', XP],
] as const;

describe.each(LISTS)('%s with brackets', (list, path) => {
  it.each(FORMS)('%s is a 422 at the decoded name', async (written, decoded) => {
    for (const value of ['=1', '=', '']) {
      const query = `?sort_order=asc&${list}${written}${value}`;
      const expected = {
        loc: ['query', `${list}${decoded}`],
        msg: `Must be repeated without brackets: ${list}=a&${list}=b`,
        type: TYPE,
      };
      for (const target of [path + query, path.replace(/\/$/, '') + query]) {
        const answer = await client.ask(target);
        expect([answer.status, answer.body]).toEqual([422, { detail: [expected] }]);
        const isPublic = await fetch(open.baseUrl + target);
        expect([isPublic.status, await isPublic.json()]).toEqual([422, { detail: [expected] }]);
      }
    }
  });
});

it('refuses the lists of a ts-rest client, and takes ids that it joins with commas', async () => {
  const options = { baseUrl: service.baseUrl, baseHeaders: {} };
  const { listItemHistory } = initClient(contract, options);
  const read = (item_ids: unknown) =>
    listItemHistory({
      params: { sandbox_id: SANDBOX },
      headers: { authorization: client.authorization },
      query: { item_ids },
    });
  const refused = await read(['a', 'b']);
  expect([refused.status, refused.body]).toMatchObject([
    422,
    { detail: [{ loc: ['query', 'item_ids[0]'] }, { loc: ['query', 'item_ids[1]'] }] },
  ]);
  expect((await read('a,b')).status).toBe(200);
});

it('lists each name once, with every other problem of the request', async () => {
  const query =
    '?item_ids[]=a&item_ids=&item_ids[]=b&legacy_item_ids[1]=1&legacy_item_ids%5B0%5D=x&page_size=0';
  expect(problemsOf(await client.ask(ITEMS.replace(SANDBOX, 'none') + query))).toEqual([
    ['path.sandbox_id', 'type_error.uuid'],
    ['query.item_ids[]', TYPE],
    ['query.legacy_item_ids[1]', TYPE],
    ['query.legacy_item_ids[0]', TYPE],
    ['query.item_ids.0', 'value_error.any_str.min_length'],
    ['query.page_size', 'value_error.number.not_ge'],
  ]);
  expect(problemsOf(await client.ask(`${ITEMS}?item_ids[]=%zz`))).toEqual([
    ['query.item_ids[]', 'value_error.percent_encoding'],
  ]);
});

it('answers a thousand such names in bounded bytes, and counts those that it does not list', async () => {
  const names = Array.from({ length: 1_000 }, (_, index) => `item_ids[${index}]=a`);
  const answer = await client.ask(`${ITEMS}?${names.join('&')}`);
  const problems = problemsOf(answer);
  expect(problems.at(-1)).toEqual(['query', 'value_error.more_problems']);
  expect(JSON.stringify(answer.body).length).toBeLessThan(70_000);
});

it.each([
  'name[]=x',
  'page_size[]=0',
  'cursor[0]=x',
  'sort_order[]=newest',
  'ITEM_IDS[]=a',
  'xp_ids[]=a',
  'item_ids%255B%255D=a',
  'item_ids%20[]=a',
  'item_idss[]=a',
  '[]=a',
  'item_ids.0=a',
])('still ignores %s, which names no list', async (query) => {
  expect((await client.ask(`${ITEMS}?${query}`)).status).toBe(200);
});

it('ignores brackets on a join, which has no lists', async () => {
  const answer = await client.join(`${JOIN}?item_ids[]=a&player_id[]=x`, BODY);
  expect(answer.body.error_code).toBe('platform_session_not_found');
});

it('is checked after the credential and before the permission', async () => {
  const target = `${ITEMS}?item_ids[]=a`;
  const stranger = await service.headers({ sub: 'stranger', permissions: [] });
  expect((await client.ask(target, { headers: {} })).body.error_code).toBe('auth_missing');
  expect((await client.ask(target, { headers: stranger })).status).toBe(422);
  expect((await client.ask(target, { method: 'HEAD' })).status).toBe(422);
});
