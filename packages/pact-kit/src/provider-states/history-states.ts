// States about the histories of a sandbox: records with versions, and a sandbox that has none.
import { HistoryOperation, itemFields, text, Uuid, xpFields } from '@muster/contract';
import { z } from 'zod';
import type { Guarantee, OperationName } from './state-definition.ts';
import {
  defineState,
  EXAMPLE_ITEM_ID,
  EXAMPLE_SANDBOX_ID,
  EXAMPLE_XP_ID,
} from './state-definition.ts';

const namesSandbox = { sandbox_id: Uuid.default(EXAMPLE_SANDBOX_ID) };
const FROM_PATH = { sandbox_id: 'sandbox_id' };
const MAX_VERSIONS = 1000;

/** A record starts with its insert; only a restore follows a delete; a restore needs something to return to. */
const isPossible = (operations: readonly HistoryOperation[]): boolean =>
  operations.every((operation, index) => {
    const before = operations.slice(0, index);
    const deleted = before.at(-1) === 'delete';
    if (index === 0 || operation === 'insert') return index === 0 && operation === 'insert';
    if (operation === 'restore') return deleted || before.includes('update');
    return !deleted;
  });

const Versions = z
  .union([
    z.int().min(1).max(MAX_VERSIONS),
    z.array(HistoryOperation).min(1).max(MAX_VERSIONS).refine(isPossible, {
      error:
        'Must begin with its only insert; a delete is followed by a restore, a restore needs an update or a delete before it',
    }),
  ])
  .default(1)
  .meta({
    description:
      'How many versions the record has (an insert, then updates), or their operations, oldest first.',
  });

const edits = {
  versions: Versions,
  account_id: text(1, 128)
    .optional()
    .meta({ description: 'Who did it; when absent, an account of the kit.' }),
};

const historyGuarantees = (...operations: OperationName[]): Guarantee[] => [
  {
    operations,
    paths: ['page_meta.page_size', 'page_meta.total'],
    when: [],
    because: 'Every page names them.',
  },
];

const versionGuarantees = (operation: OperationName): Guarantee[] => [
  ...historyGuarantees(operation),
  {
    operations: [operation],
    paths: ['transactions[*].version', 'transactions[*].version_name'],
    when: [],
    because: 'Every version carries its name and the whole record.',
  },
  {
    operations: [operation],
    paths: ['page_meta.cursor'],
    when: [{ morePages: true }],
    because: 'The state makes more versions than a page holds.',
  },
];

export const anItemWithVersions = defineState({
  name: 'an Item with versions',
  description:
    'An Item in a sandbox, with the given history. Use it several times for several Items. Updates change the description.',
  parameters: z.strictObject({
    ...namesSandbox,
    item_id: Uuid.default(EXAMPLE_ITEM_ID),
    ...itemFields,
    name: itemFields.name.default('Iron Sword'),
    item_type: itemFields.item_type.default('unit'),
    ...edits,
  }),
  fromPath: FROM_PATH,
  example: {
    sandbox_id: EXAMPLE_SANDBOX_ID,
    item_id: EXAMPLE_ITEM_ID,
    name: 'Iron Sword',
    versions: ['insert', 'update', 'delete', 'restore'],
  },
  guarantees: versionGuarantees('listItemHistory'),
  echoes: [
    {
      operations: ['listItemHistory'],
      parameters: ['legacy_item_id', 'description', 'level_xp_table_id', 'tags', 'custom_data'],
      to: 'transactions[*].version',
    },
  ],
  elements: [{ operations: ['listItemHistory'], paths: ['transactions'] }],
});

export const anXpTableWithVersions = defineState({
  name: 'an Xp table with versions',
  description:
    'An Xp table in a sandbox, with the given history. Use it several times for several tables. Updates change the description.',
  parameters: z.strictObject({
    ...namesSandbox,
    xp_id: Uuid.default(EXAMPLE_XP_ID),
    ...xpFields,
    name: xpFields.name.default('Warrior levels'),
    xp_thresholds: xpFields.xp_thresholds.default([
      { level: 1, xp: 0 },
      { level: 2, xp: 100 },
    ]),
    ...edits,
  }),
  fromPath: FROM_PATH,
  example: {
    sandbox_id: EXAMPLE_SANDBOX_ID,
    xp_id: EXAMPLE_XP_ID,
    name: 'Warrior levels',
    versions: 3,
  },
  guarantees: versionGuarantees('listXpHistory'),
  echoes: [
    {
      operations: ['listXpHistory'],
      parameters: ['legacy_xp_id', 'description', 'xp_thresholds', 'custom_data'],
      to: 'transactions[*].version',
    },
  ],
  elements: [{ operations: ['listXpHistory'], paths: ['transactions'] }],
});

export const anEmptyHistory = defineState({
  name: 'an empty history',
  description: 'Nothing was ever written in the sandbox.',
  parameters: z.strictObject(namesSandbox),
  fromPath: FROM_PATH,
  example: { sandbox_id: EXAMPLE_SANDBOX_ID },
  guarantees: historyGuarantees('listItemHistory', 'listXpHistory'),
});
