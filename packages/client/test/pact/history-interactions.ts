import type { MusterClient } from '../../src/index.ts';
import { SANDBOX_ID } from '../start/examples.ts';
import type { Interaction } from './interaction.ts';
import { refuse } from './interaction.ts';
import {
  authFailureWith,
  itemVersion,
  JSON_TYPE,
  pageMeta,
  problemsAt,
  transactionsWith,
  xpVersion,
} from './matchers.ts';

const ITEM_ID = '7d1a2b3c-4e5f-4a6b-8c7d-9e0f1a2b3c4d';
const OTHER_ITEM_ID = '8e2b3c4d-5f60-4b7c-9d8e-0f1a2b3c4d5e';
const XP_ID = '2c4e6a8b-0d1f-4e3a-9b5c-7d8e9f0a1b2c';
const NO_CURSOR = '1';

type Query = Record<string, string | string[]>;

const getting = (kind: 'item' | 'xp', query: Query = {}) => ({
  request: { method: 'GET', path: `/v1/history/sandbox/${SANDBOX_ID}/${kind}/`, query } as const,
});

const ok = (body: unknown): Interaction['response'] => ({
  status: 200,
  headers: { 'Content-Type': JSON_TYPE },
  body,
});

const calling =
  (filters: Omit<Parameters<MusterClient['listItemHistory']>[0], 'sandbox_id'>) =>
  (client: MusterClient): Promise<unknown> =>
    client.listItemHistory({ sandbox_id: SANDBOX_ID, ...filters });

export const HISTORY_INTERACTIONS: Interaction[] = [
  {
    description: 'a first page of an Item history, with every filter',
    states: [
      [
        'an Item with versions',
        { item_id: ITEM_ID, legacy_item_id: 7, name: 'Iron Sword', versions: 3 },
      ],
    ],
    ...getting('item', {
      item_ids: [ITEM_ID, OTHER_ITEM_ID],
      legacy_item_ids: ['7', '8'],
      name: 'iron',
      sort_order: 'desc',
      cursor: '0',
      page_size: '2',
    }),
    call: calling({
      item_ids: [ITEM_ID, OTHER_ITEM_ID],
      legacy_item_ids: [7, 8],
      name: 'iron',
      sort_order: 'desc',
      cursor: '0',
      page_size: 2,
    }),
    response: ok({
      transactions: transactionsWith(itemVersion(ITEM_ID), 'Iron Sword', 'update'),
      page_meta: pageMeta({ page_size: 2, total: 3, cursor: 'eyJwIjoyfQ' }),
    }),
    outcome: {
      transactions: [{ operation: 'update', version: { item_id: ITEM_ID } }],
      page_meta: { cursor: 'eyJwIjoyfQ', page_size: 2, total: 3 },
    },
  },
  {
    description: 'the only page of an Item history, oldest first',
    states: [['an Item with versions', { item_id: ITEM_ID, versions: ['insert', 'delete'] }]],
    ...getting('item', { sort_order: 'asc' }),
    call: calling({ sort_order: 'asc' }),
    response: ok({
      transactions: transactionsWith(itemVersion(ITEM_ID), 'Iron Sword', 'insert'),
      page_meta: pageMeta({ page_size: 50, total: 2 }),
    }),
    outcome: { transactions: [{ operation: 'insert' }], page_meta: { total: 2 } },
  },
  {
    description: 'a page of an Xp history, with every filter',
    states: [
      [
        'an Xp table with versions',
        { xp_id: XP_ID, legacy_xp_id: 7, name: 'Warrior levels', versions: 1 },
      ],
    ],
    ...getting('xp', { xp_ids: [XP_ID], legacy_xp_ids: ['7', '8'], name: 'LEVELS' }),
    call: (client) =>
      client.listXpHistory({
        sandbox_id: SANDBOX_ID,
        xp_ids: [XP_ID],
        legacy_xp_ids: [7, 8],
        name: 'LEVELS',
      }),
    response: ok({
      transactions: transactionsWith(xpVersion(XP_ID), 'Warrior levels', 'insert'),
      page_meta: pageMeta({ page_size: 50, total: 1 }),
    }),
    outcome: {
      transactions: [{ version: { xp_id: XP_ID, xp_thresholds: [{ level: 1, xp: 0 }] } }],
    },
  },
  {
    description: 'the history of a sandbox in which nothing was written',
    states: [['an empty history']],
    ...getting('item'),
    call: calling({}),
    response: ok({ transactions: [], page_meta: pageMeta({ page_size: 50, total: 0 }) }),
    outcome: { transactions: [], page_meta: { total: 0 } },
  },
  {
    description: 'a page of a history at a cursor that no page has given',
    states: [['an empty history']],
    ...getting('item', { cursor: NO_CURSOR }),
    call: calling({ cursor: NO_CURSOR }),
    response: refuse(422, problemsAt(['query', 'cursor'], 'value_error.cursor')),
    outcome: { name: 'ValidationError', detail: [{ loc: ['query', 'cursor'] }] },
  },
  {
    description: 'a page of a history that is larger than pages may be',
    states: [['an empty history']],
    ...getting('xp', { page_size: '1001' }),
    call: (client) => client.listXpHistory({ sandbox_id: SANDBOX_ID, page_size: 1001 }),
    response: refuse(422, problemsAt(['query', 'page_size'], 'value_error.number.not_le')),
    outcome: { name: 'ValidationError', detail: [{ loc: ['query', 'page_size'] }] },
  },
  {
    description: 'a history without a credential',
    states: [['an empty history'], ['the caller', { credential: 'missing' }]],
    isAnonymous: true,
    ...getting('item'),
    call: calling({}),
    response: refuse(403, authFailureWith('auth_missing')),
    outcome: { name: 'ServiceError', code: 'auth_missing', authSuccess: false },
  },
];
