// Pages of histories: one that goes on, the last one, and the empty one of an unknown sandbox.
import type { z } from 'zod';
import type { ItemHistory, XpHistory } from '../../history/history.ts';

type Examples<Value> = Record<string, { summary: string; value: Value }>;
type ItemPage = z.output<typeof ItemHistory>;
type XpPage = z.output<typeof XpHistory>;

const EMPTY = {
  summary: 'Nothing matches, or the sandbox is unknown',
  value: { transactions: [], page_meta: { page_size: 50, total: 0 } },
};

const CURSOR = 'AQAAAAAAAAQaAAAAAAAABJsAAAAAAAAAA3kMZ5mVQ8dX0Hq1cF2Yb3w';

const SWORD = {
  item_id: '5b1e7d02-3c94-4f6a-a8d1-07c2e94b6f13',
  legacy_item_id: 1042,
  item_type: 'unit' as const,
  tags: ['melee', 'starter'],
  level_xp_table_id: 'c20a6e9f-41b7-4d35-9e80-6f1b2d7a5c48',
} satisfies Partial<ItemPage['transactions'][number]['version']>;

const RENAMED_SWORD: ItemPage['transactions'][number] = {
  account_id: 'mara.lindqvist',
  transaction_id: '0197f3b2-7c1e-7b60-8a56-3f2c9be0d111',
  issued_at: '2026-03-14T09:26:53.589Z',
  operation: 'update',
  version_id: '0197f3b2-7c20-7a41-9a0e-5c1d2e3f4a5b',
  version_name: 'Iron Sword',
  version: { ...SWORD, name: 'Iron Sword', custom_data: { damage: '14' } },
};

const FIRST_SWORD: ItemPage['transactions'][number] = {
  account_id: 'import-service',
  transaction_id: '01956a10-22c4-7d1e-b7f3-90a1c2d3e4f5',
  issued_at: '2025-11-02T16:04:30.012Z',
  operation: 'insert',
  version_id: '01956a10-22c9-7e02-84aa-1b2c3d4e5f60',
  version_name: 'Sword',
  version: { ...SWORD, name: 'Sword', custom_data: {} },
};

export const ITEM_HISTORIES = {
  page: {
    summary: 'A page with a cursor to go on with',
    value: {
      transactions: [RENAMED_SWORD, FIRST_SWORD],
      page_meta: { cursor: CURSOR, page_size: 2, total: 3 },
    },
  },
  last_page: {
    summary: 'The last page has no cursor',
    value: {
      transactions: [FIRST_SWORD],
      page_meta: { page_size: 50, total: 1 },
    },
  },
  empty: EMPTY,
} satisfies Examples<ItemPage>;

const XP_TABLE = {
  xp_id: SWORD.level_xp_table_id,
  legacy_xp_id: 7,
  name: 'Weapon mastery',
  description: 'Levels of every weapon.',
  custom_data: {},
};

const STEEPER_TABLE: XpPage['transactions'][number] = {
  account_id: 'jonas.weber',
  transaction_id: '0197f3b2-9d40-7c55-b1e2-6a7b8c9d0e1f',
  issued_at: '2026-03-14T10:02:17.204Z',
  operation: 'update',
  version_id: '0197f3b2-9d43-7f19-8c3d-2e1f0a9b8c7d',
  version_name: 'Weapon mastery',
  version: {
    ...XP_TABLE,
    xp_thresholds: [
      { level: 1, xp: 0 },
      { level: 2, xp: 250 },
      { level: 3, xp: 700 },
    ],
  },
};

export const XP_HISTORIES = {
  page: {
    summary: 'A page with a cursor to go on with',
    value: {
      transactions: [STEEPER_TABLE],
      page_meta: { cursor: CURSOR, page_size: 1, total: 3 },
    },
  },
  last_page: {
    summary: 'The last page has no cursor',
    value: {
      transactions: [STEEPER_TABLE],
      page_meta: { page_size: 50, total: 1 },
    },
  },
  empty: EMPTY,
} satisfies Examples<XpPage>;
