// A small catalogue of texts that files get wrong, in a new sandbox for every test.
import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { TestService } from './start-test-service.ts';
import { startTestService } from './start-test-service.ts';
import type { Query, TransferClient } from './transfer-client.ts';
import { createTransferClient } from './transfer-client.ts';

export const EMOJI = { 'a "quoted", key': 'line\r\nbreak', emoji: '🗡', formula: '=1+1' };
export const ITEMS = [
  {
    name: '=Sword',
    item_type: 'unit',
    legacy_item_id: -7,
    tags: ['a,b', '-c'],
    custom_data: EMOJI,
  },
  { name: 'Shield', item_type: 'recipe', description: '' },
  { name: '\'Axe, "big"', item_type: 'entitlement', description: '@home\n-1' },
];
export const XP = [
  {
    name: 'Levels',
    xp_thresholds: [
      { level: 1, xp: 0 },
      { level: 2, xp: 100 },
    ],
  },
];

export type TransferCatalogue = {
  service: TestService;
  client: TransferClient;
  /** Its newest position is 4. */
  sandbox: string;
  exportText(kind: string, query?: Query): Promise<string>;
  headSeq(): Promise<number>;
};

/** What it answers is there while tests run. */
export const useTransferCatalogue = (): TransferCatalogue => {
  const opened = {} as TransferCatalogue;
  beforeAll(async () => {
    opened.service = await startTestService();
    opened.client = createTransferClient(opened.service);
    opened.exportText = async (kind, query) =>
      (await opened.client.exportFile(opened.sandbox, kind, query)).text();
    opened.headSeq = async () =>
      (await opened.client.plan(opened.sandbox, 'item', {}, '')).head_seq;
  });
  afterAll(() => opened.service.close());
  beforeEach(async () => {
    const { mutate } = opened.client;
    const { sandbox_id } = await mutate('sandboxes.create', { name: 'Live' });
    for (const item of ITEMS) await mutate('items.create', { sandbox_id, ...item });
    for (const xp of XP) await mutate('xp.create', { sandbox_id, ...xp });
    opened.sandbox = sandbox_id;
  });
  return opened;
};

/** The counts of a plan that changes nothing, but for what is unchanged. */
export const UNCHANGED = { create: 0, update: 0, restore: 0, delete: 0 };
