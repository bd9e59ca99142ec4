// What the mirror relies on: the pages it reads, and the refusals it tells apart.
import { MatchersV3 } from '@pact-foundation/pact';
import type { JsonMap } from '@pact-foundation/pact/src/common/jsonTypes.js';

const { eachLike, regex, string } = MatchersV3;

export const SANDBOX_ID = '0b9f2c1e-6a53-4e0b-8f57-2f6f0d3c9a10';
const ITEM_ID = '7d1a2b3c-4e5f-4a6b-8c7d-9e0f1a2b3c4d';
const XP_ID = '2c4e6a8b-0d1f-4e3a-9b5c-7d8e9f0a1b2c';
export const KNOWN = '0198c0de-0000-7000-8000-000000000002';

const DATE_TIME = regex(
  '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$',
  '2026-03-14T09:26:53.589Z',
);
export const AUTHORIZATION = regex('^Bearer \\S+$', 'Bearer token');
const JSON_TYPE = regex('^application/json(;.*)?$', 'application/json; charset=utf-8');

export type Interaction = {
  description: string;
  states: readonly [name: string, parameters?: JsonMap][];
  kind: 'item' | 'xp';
  query: Record<string, string>;
  status: number;
  body: object;
};

/** What every reader of the mirror may count on; ids of versions and transactions are opaque. */
const transaction = (operation: string, version: object, version_id: string) => ({
  account_id: string('live-ops'),
  transaction_id: string('0198c0de-0000-7000-8000-000000000001'),
  issued_at: DATE_TIME,
  operation,
  version_id: string(version_id),
  version,
});

const item = { item_id: ITEM_ID };
const xp = { xp_id: XP_ID };

export const INTERACTIONS = {
  newVersions: {
    description: 'a page that ends the walk at a version that is mirrored already',
    states: [
      ['an Item with versions', { item_id: ITEM_ID, versions: ['insert', 'update', 'delete'] }],
    ],
    kind: 'item',
    query: { page_size: '2' },
    status: 200,
    body: {
      transactions: [
        transaction('delete', item, '0198c0de-0000-7000-8000-000000000003'),
        transaction('update', item, KNOWN),
      ],
      page_meta: { cursor: string('eyJwIjoyfQ') },
    },
  },
  wholeHistory: {
    description: 'the last page of a history',
    states: [['an Xp table with versions', { xp_id: XP_ID, versions: 1 }]],
    kind: 'xp',
    query: { page_size: '2' },
    status: 200,
    body: { transactions: [transaction('insert', xp, KNOWN)], page_meta: {} },
  },
  emptyHistory: {
    description: 'a history in which nothing was written',
    states: [['an empty history']],
    kind: 'item',
    query: { page_size: '2' },
    status: 200,
    body: { transactions: [], page_meta: {} },
  },
  foreignCursor: {
    description: 'a page at a cursor that the service has not given',
    states: [['an empty history']],
    kind: 'item',
    query: { page_size: '2', cursor: '1' },
    status: 422,
    body: {
      detail: eachLike({
        loc: ['query', 'cursor'],
        msg: string('A sentence.'),
        type: string('value_error.cursor'),
      }),
    },
  },
  forbidden: {
    description: 'a history for an account that may not see it',
    states: [['an empty history'], ['the caller', { permissions: ['session:update-player:self'] }]],
    kind: 'item',
    query: { page_size: '2' },
    status: 403,
    body: {
      error_code: 'insufficient_permissions',
      desc: string('A sentence.'),
    },
  },
} as const satisfies Record<string, Interaction>;

export const HEADERS = { 'Content-Type': JSON_TYPE };
