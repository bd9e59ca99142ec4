// Correct pacts about both histories.
import type { CorrectPact } from './join-interaction.ts';
import type { Interaction } from './write-pact.ts';
import { atLeast, integer, like, regex, timestamp } from './write-pact.ts';

const ITEM = 'aaaaaaaa-1111-4222-8333-444444444401';
const OTHER_ITEM = 'aaaaaaaa-1111-4222-8333-444444444402';
const sandbox = (number: number): string => `bbbbbbbb-1111-4222-8333-4444444444${number}`;

const list = (
  kind: 'item' | 'xp',
  number: number,
  description: string,
  states: Interaction['states'],
  query: Record<string, string[]>,
  response: Interaction['response'],
): Interaction => ({
  description,
  states,
  request: {
    method: 'GET',
    path: `/v1/history/sandbox/${sandbox(number)}/${kind}/`,
    query,
    headers: { Accept: 'application/json' },
  },
  response,
});

export const CORRECT_HISTORIES: CorrectPact[] = [
  {
    name: 'history of Items with every kind of edit',
    version: '4.0',
    interactions: [
      list(
        'item',
        10,
        'the versions of a sandbox',
        [
          {
            name: 'an Item with versions',
            params: { item_id: ITEM, versions: ['insert', 'update', 'delete', 'restore'] },
          },
        ],
        {},
        {
          status: 200,
          body: {
            transactions: [
              {
                account_id: 'someone',
                transaction_id: 'some-edit',
                issued_at: '2026-03-14T09:26:53.589Z',
                operation: 'restore',
                version_id: 'some-version',
                version_name: 'Iron Sword',
                version: { item_id: ITEM, name: 'Iron Sword', item_type: 'unit', tags: [] },
              },
            ],
            page_meta: { page_size: 50, total: 4 },
          },
          rules: {
            body: {
              '$.transactions': atLeast(1),
              '$.transactions[*].account_id': like,
              '$.transactions[*].transaction_id': like,
              '$.transactions[*].issued_at': timestamp,
              '$.transactions[*].operation': regex('^(insert|update|delete|restore)$'),
              '$.transactions[*].version_id': like,
              '$.transactions[*].version.item_id': regex('^[0-9a-f-]{36}$'),
              '$.page_meta.page_size': integer,
              '$.page_meta.total': [{ match: 'number' }],
            },
          },
        },
      ),
    ],
  },
  {
    name: 'history of Items page by page, oldest first, by ids',
    version: '3.0.0',
    interactions: [
      list(
        'item',
        11,
        'the first page of some Items',
        [
          {
            name: 'an Item with versions',
            params: { item_id: ITEM, versions: 3, legacy_item_id: 7 },
          },
        ],
        { item_ids: [ITEM, OTHER_ITEM], sort_order: ['asc'], page_size: ['2'], cursor: ['0'] },
        {
          status: 200,
          body: {
            transactions: [
              { operation: 'insert', version: { legacy_item_id: 7 } },
              { operation: 'update', version: { legacy_item_id: 7 } },
            ],
            page_meta: { cursor: 'opaque', page_size: 2, total: 3 },
          },
          rules: { body: { '$.page_meta.cursor': like } },
        },
      ),
    ],
  },
  {
    name: 'history of Xp tables with thresholds',
    version: '4.0',
    interactions: [
      list(
        'xp',
        12,
        'the versions of Xp tables',
        [{ name: 'an Xp table with versions', params: { name: 'Mage levels', versions: 2 } }],
        { name: ['mage'] },
        {
          status: 200,
          body: {
            transactions: [
              { operation: 'update', version: { xp_thresholds: [{ level: 1, xp: 0 }] } },
            ],
            page_meta: { total: 2 },
          },
          rules: {
            body: {
              '$.transactions': [{ match: 'type', min: 1, max: 50 }],
              '$.transactions[*].operation': regex('insert|update'),
              '$.transactions[*].version.xp_thresholds': atLeast(1),
              '$.transactions[*].version.xp_thresholds[*].level': integer,
              '$.transactions[*].version.xp_thresholds[*].xp': integer,
            },
          },
        },
      ),
    ],
  },
  {
    name: 'empty histories of both kinds',
    version: '3.0.0',
    interactions: (['item', 'xp'] as const).map((kind) =>
      list(
        kind,
        13,
        `no ${kind} versions`,
        [{ name: 'an empty history' }],
        {},
        {
          status: 200,
          body: { transactions: [], page_meta: { total: 0 } },
        },
      ),
    ),
  },
  {
    name: 'history with a bad page size, 422, and with an expired token, 403',
    version: '4.0',
    interactions: [
      list(
        'item',
        14,
        'a page of nothing',
        [{ name: 'an empty history' }],
        { page_size: ['0'] },
        {
          status: 422,
          body: {
            detail: [{ loc: ['query', 'page_size'], msg: 'Too small', type: 'value_error' }],
          },
          rules: {
            body: {
              '$.detail': atLeast(1),
              '$.detail[*].msg': like,
              '$.detail[*].type': regex('^value_error\\..+|value_error$'),
            },
          },
        },
      ),
      list(
        'xp',
        14,
        'a read with an expired token',
        [{ name: 'the caller', params: { credential: 'expired' } }],
        {},
        {
          status: 403,
          body: { auth_success: false, error_code: 'auth_token_expired', desc: 'Expired.' },
          rules: { body: { '$.desc': like } },
        },
      ),
    ],
  },
];
