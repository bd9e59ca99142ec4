// The responses that the public view depends on: pages, the cursor to the next page, and errors with their messages.
import { MatchersV3 } from '@pact-foundation/pact';
import type { JsonMap } from '@pact-foundation/pact/src/common/jsonTypes.js';

const { eachLike, integer, regex, string } = MatchersV3;

export const SANDBOX_ID = '0b9f2c1e-6a53-4e0b-8f57-2f6f0d3c9a10';
export const ITEM_ID = '7d1a2b3c-4e5f-4a6b-8c7d-9e0f1a2b3c4d';
export const XP_ID = '2c4e6a8b-0d1f-4e3a-9b5c-7d8e9f0a1b2c';

export const AUTHORIZATION = regex('^Bearer \\S+$', 'Bearer token');
export const JSON_TYPE = regex('^application/json(;.*)?$', 'application/json; charset=utf-8');

type Interaction = {
  description: string;
  states: readonly [name: string, parameters?: JsonMap][];
  kind: 'item' | 'xp';
  query: Record<string, string | string[]>;
  /** Sends no Authorization header. */
  isAnonymous?: true;
  status: number;
  body: object;
};

const transactionsOf = (version: object) => eachLike({ version_id: string('version'), version });

export const INTERACTIONS = {
  filteredPage: {
    description: 'a page of Items with every filter, and the way to the next page',
    states: [
      ['an Item with versions', { item_id: ITEM_ID, legacy_item_id: 7, name: 'Axe', versions: 3 }],
    ],
    kind: 'item',
    query: {
      item_ids: [ITEM_ID],
      legacy_item_ids: ['7'],
      name: 'axe',
      sort_order: 'asc',
      page_size: '2',
    },
    status: 200,
    body: {
      transactions: transactionsOf({ item_id: ITEM_ID }),
      page_meta: { page_size: 2, total: integer(3), cursor: string('eyJwIjoyfQ') },
    },
  },
  lastPage: {
    description: 'the only page of an Xp history',
    states: [['an Xp table with versions', { xp_id: XP_ID, versions: 1 }]],
    kind: 'xp',
    query: {},
    status: 200,
    body: { transactions: transactionsOf({ xp_id: XP_ID }), page_meta: { total: integer(1) } },
  },
  foreignCursor: {
    description: 'a page behind a cursor that no page gave',
    states: [['an empty history']],
    kind: 'item',
    query: { cursor: '1' },
    status: 422,
    body: {
      detail: eachLike({
        loc: ['query', 'cursor'],
        msg: string('A sentence.'),
        type: string('value_error.cursor'),
      }),
    },
  },
  noCredential: {
    description: 'a page without a token',
    states: [['an empty history'], ['the caller', { credential: 'missing' }]],
    kind: 'item',
    query: {},
    isAnonymous: true,
    status: 403,
    body: { error_code: 'auth_missing', desc: string('A sentence.'), auth_success: false },
  },
} as const satisfies Record<string, Interaction>;

export type AnyInteraction = Interaction;
