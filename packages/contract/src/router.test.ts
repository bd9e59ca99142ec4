// Type tests: `tsc` fails when a directive below has nothing to expect, that is, when the contract lets
// a wrong answer compile.
import type { ServerInferResponses } from '@ts-rest/core';
import { expect, test } from 'vitest';
import { contract } from './router.ts';

const version = {
  account_id: 'a',
  transaction_id: 't',
  issued_at: '2026-01-01T00:00:00.000Z',
  operation: 'insert' as const,
  version_id: 'v',
};

type Join = ServerInferResponses<typeof contract.joinByPlatformSession>;
type ItemHistory = ServerInferResponses<typeof contract.listItemHistory>;
type XpHistory = ServerInferResponses<typeof contract.listXpHistory>;

const refusal = { auth_success: true, error_code: 'team_full', desc: 'Full.' };
const history = { transactions: [version], page_meta: { page_size: 50, total: 1 } };

export const accepted: (Join | ItemHistory)[] = [
  { status: 409, body: refusal },
  { status: 200, body: history },
];

// @ts-expect-error A session without teams is not the resource.
export const withoutTeams: Join = { status: 200, body: { type: 'x', session_id: 'y' } };
// @ts-expect-error The join declares no 201.
export const undeclared: Join = { status: 201, body: refusal };
// @ts-expect-error A refusal is no validation error.
export const wrongBody: Join = { status: 422, body: refusal };
// @ts-expect-error The histories declare no 409.
export const undeclaredToo: XpHistory = { status: 409, body: refusal };

const renamed = { ...version, operation: 'rename' as const };
export const wrongOperation: ItemHistory = {
  status: 200,
  // @ts-expect-error The operation is one of four.
  body: { ...history, transactions: [renamed] },
};

test('the paths are those of the interface, to the letter', () => {
  expect(Object.values(contract).map(({ method, path }) => `${method} ${path}`)).toEqual([
    'GET /v1/history/sandbox/:sandbox_id/item/',
    'GET /v1/history/sandbox/:sandbox_id/xp/',
    'POST /session/v1/platform/:platform/platform-session/:platform_session_id_base64/player/:player_uuid',
  ]);
});

test('the statuses are the listed ones and those that go beyond them', () => {
  const statuses = Object.values(contract).map(({ responses }) =>
    Object.keys(responses).map(Number),
  );
  const historyStatuses = [200, 403, 404, 405, 413, 422, 429, 431, 500, 503];
  expect(statuses).toEqual([
    historyStatuses,
    historyStatuses,
    [200, 403, 404, 405, 409, 413, 415, 422, 431, 500],
  ]);
});
