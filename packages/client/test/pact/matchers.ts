// What the client reads of an answer: each matcher is as narrow as the contract's own schema.
import { MatchersV3 } from '@pact-foundation/pact';

const { boolean, eachLike, integer, regex, string } = MatchersV3;

const UUID = '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$';
const uuid = (example: string) => regex(UUID, example);
const DATE_TIME = '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$';
const dateTime = () => regex(DATE_TIME, '2026-03-14T09:26:53.589Z');

export const AUTHORIZATION = regex('^Bearer \\S+$', 'Bearer token');
export const JSON_TYPE = regex('^application/json(;.*)?$', 'application/json; charset=utf-8');
export const ETAG = regex('^"[^"]+"$', '"v1"');
export const RETRY_AFTER = regex('^[1-9]\\d*$', '1');

export const sessionWith = (player_uuid: string, status: 'leader' | 'member') => ({
  type: string('match'),
  session_id: string('session-1'),
  joinable: boolean(true),
  created: dateTime(),
  teams: eachLike({
    max_size: integer(4),
    players: eachLike({
      player_uuid: uuid(player_uuid),
      status: regex('^(leader|member|invited|reserved)$', status),
    }),
  }),
});

export const refusalWith = (error_code: string) => ({
  error_code,
  desc: string('A sentence.'),
});

/** Only of refused credentials does the client read `auth_success`: absent, it is true. */
export const authFailureWith = (error_code: string) => ({
  ...refusalWith(error_code),
  auth_success: false,
});

export const problemsAt = (loc: [string, string], type: string) => ({
  detail: [{ loc, msg: string('A sentence.'), type }],
});

export const transactionsWith = (version: object, name: string, operation: string) =>
  eachLike({
    account_id: string('live-ops'),
    transaction_id: string('0198c0de-0000-7000-8000-000000000001'),
    issued_at: dateTime(),
    operation: regex('^(insert|update|delete|restore)$', operation),
    version_id: string('0198c0de-0000-7000-8000-000000000002'),
    version_name: string(name),
    version,
  });

export const pageMeta = (page: { page_size: number; total: number; cursor?: string }) => ({
  page_size: integer(page.page_size),
  total: integer(page.total),
  ...(page.cursor && { cursor: string(page.cursor) }),
});

export const itemVersion = (item_id: string) => ({
  item_id: uuid(item_id),
  name: string('Iron Sword'),
  item_type: regex('^(unit|recipe|recipe_with_price_reduction|entitlement)$', 'unit'),
});

export const xpVersion = (xp_id: string) => ({
  xp_id: uuid(xp_id),
  name: string('Warrior levels'),
  xp_thresholds: eachLike({ level: integer(1), xp: integer(0) }),
});
