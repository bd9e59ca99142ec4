// Findings of the fuzzer as requests: each one is sent again and must get a documented response.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { checkProcedure, checkRefusal } from './check-answer.ts';
import type { FuzzFixture } from './fuzz-fixture.ts';
import { createFuzzFixture } from './fuzz-fixture.ts';
import { SANDBOXES } from './known-values.ts';
import { tryRequest } from './run-fuzz.ts';
import type { WireRequest } from './wire-request.ts';

type Finding = { was: string; request: WireRequest; status: number };

/** Without a credential, which every run adds. */
const FINDINGS: Finding[] = [
  {
    was: 'a history answered If-None-Match: * with 304, an undocumented status',
    request: {
      method: 'GET',
      target: `/v1/history/sandbox/${SANDBOXES[0]}/item/`,
      headers: [['if-none-match', '*']],
    },
    status: 200,
  },
  {
    was: 'a batch was streamed in another format with the type of JSON',
    request: {
      method: 'GET',
      target: '/admin/trpc/me.get,players.count?batch=1&input=%7B%221%22%3A%7B%7D%7D',
      headers: [['trpc-accept', 'application/jsonl']],
    },
    status: 200,
  },
  {
    was: 'the admin API read a path that begins with two slashes as a host name',
    request: { method: 'GET', target: '/admin/trpc/\\?batch=1&input=%7B%7D', headers: [] },
    status: 404,
  },
  {
    was: 'a list with brackets was ignored, and the whole history was returned',
    request: {
      method: 'GET',
      target: `/v1/history/sandbox/${SANDBOXES[0]}/item/?item_ids%5B%5D=x&item_ids[=x`,
      headers: [],
    },
    status: 422,
  },
];

let fixture: FuzzFixture;
beforeAll(async () => {
  fixture = await createFuzzFixture();
});
afterAll(() => fixture.close());

it.each(FINDINGS)('remains fixed: $was', async ({ request, status }) => {
  const headers = [['authorization', fixture.authorization] as const, ...request.headers];
  const isAdmin = request.target.startsWith('/admin/trpc');
  const check = isAdmin
    ? checkProcedure
    : (...asked: Parameters<typeof checkRefusal>) => (status < 400 ? [] : checkRefusal(...asked));
  expect(await tryRequest(fixture, check, { ...request, headers })).toEqual({
    status,
    problems: [],
  });
});
