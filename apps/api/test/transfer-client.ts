// Exports and imports like those of a script, and sandboxes to try them on.

import type { FieldChange } from '@muster/record-diff';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { ImportAnswer } from '../src/catalogue/index.ts';
import type { TestService, TestToken } from './test-service.ts';
import { startTestService } from './test-service.ts';

type Query = Record<string, string | number | boolean>;
type Kind = 'item' | 'xp';
type Problem = { loc: (string | number)[]; msg: string };
/** The response to an import, or the reason for none. */
type ImportBody = ImportAnswer & { error_code: string; desc: string; detail: Problem[] };
type Preview = {
  operations: { record_id: string; name: string; operation: string; changes: FieldChange[] }[];
  counts: { changes: number; unchanged: number; problems: number };
};

export const createTransferClient = (service: TestService, token?: TestToken) => {
  const ask = async (path: string, init: RequestInit = {}) =>
    fetch(service.baseUrl + path, { headers: await service.headers(token), ...init });
  const call = async (path: string, init?: RequestInit) => {
    const { result, error } = JSON.parse(await (await ask(path, init)).text());
    if (error) throw new Error(JSON.stringify(error));
    return result.data;
  };
  const urlOf = (action: string, sandbox: string, kind: string, query: Query) => {
    const search = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) search.set(name, String(value));
    return `/admin/${action}/${sandbox}/${kind}?${search}`;
  };
  const importFile = async (
    sandbox: string,
    kind: Kind,
    query: Query,
    body: string | Buffer<ArrayBuffer>,
  ) => {
    const response = await ask(urlOf('import', sandbox, kind, query), { method: 'POST', body });
    return { status: response.status, body: (await response.json()) as ImportBody };
  };
  /** The plan of a file; fails when the service refuses to make one. */
  const plan = async (
    sandbox: string,
    kind: Kind,
    query: Query,
    body: string | Buffer<ArrayBuffer>,
  ) => {
    const answer = await importFile(sandbox, kind, query, body);
    if (answer.status !== 200) throw new Error(JSON.stringify(answer));
    return answer.body;
  };
  const query = (procedure: string, input: object) =>
    call(`/admin/trpc/${procedure}?input=${encodeURIComponent(JSON.stringify(input))}`);
  /** The first 100 operations of a change set. */
  const preview = (sandbox_id: string, change_set_id: string | undefined): Promise<Preview> =>
    query('changeSets.preview', { sandbox_id, change_set_id, page_size: 100 });
  return {
    mutate: (procedure: string, input: object) =>
      call(`/admin/trpc/${procedure}`, { method: 'POST', body: JSON.stringify(input) }),
    query,
    preview,
    exportFile: (sandbox: string, kind: string, query: Query = {}) =>
      ask(urlOf('export', sandbox, kind, query)),
    importFile,
    plan,
    /** A draft of a change set, with its preview. */
    draft: async (
      sandbox: string,
      kind: Kind,
      query: Query,
      body: string | Buffer<ArrayBuffer>,
    ) => {
      const answer = await plan(sandbox, kind, { ...query, mode: 'draft' }, body);
      const { change_set_id } = answer;
      const shown = change_set_id ? await preview(sandbox, change_set_id) : { operations: [] };
      return { ...answer, operations: shown.operations };
    },
    /** A dry run, then exactly that plan. */
    apply: async (
      sandbox: string,
      kind: Kind,
      query: Query,
      body: string | Buffer<ArrayBuffer>,
    ) => {
      const { plan_digest = '', head_seq } = await plan(sandbox, kind, query, body);
      const approved = { ...query, mode: 'apply', plan_digest, expected_head_seq: head_seq };
      return importFile(sandbox, kind, approved, body);
    },
  };
};

export type TransferClient = ReturnType<typeof createTransferClient>;

// A small catalogue of texts that often cause faults in files, in a new sandbox for every test.

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

type TransferCatalogue = {
  service: TestService;
  client: TransferClient;
  /** Its newest position is 4. */
  sandbox: string;
  exportText(kind: string, query?: Query): Promise<string>;
  headSeq(): Promise<number>;
};

/** Its return values exist while tests run. */
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

/** The counts of a plan without changes, except for unchanged records. */
export const UNCHANGED = { create: 0, update: 0, restore: 0, delete: 0 };
