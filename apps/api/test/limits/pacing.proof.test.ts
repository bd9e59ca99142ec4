// Long work yields the event loop every two milliseconds. The clock advances by one at each reading, so that the result does not depend
// on the speed of the machine.
import { boundedList } from '@muster/contract';
import { beforeEach, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { createKeyService } from '../../src/auth/api-keys.ts';
import type { CatalogueTransaction } from '../../src/catalogue/edits/catalogue-store.ts';
import type { CatalogueWriter } from '../../src/catalogue/edits/catalogue-writer.ts';
import { createCatalogueWriter } from '../../src/catalogue/edits/catalogue-writer.ts';
import type { RecordOperation } from '../../src/catalogue/edits/edit-rules.ts';
import { planWrite } from '../../src/catalogue/edits/edit-rules.ts';
import { createFileColumns } from '../../src/catalogue/import-export/file-columns.ts';
import { readFile } from '../../src/catalogue/import-export/file-rows.ts';
import type { CurrentRecord } from '../../src/catalogue/import-export/import-lookup-store.ts';
import type { ImportRequest } from '../../src/catalogue/import-export/import-service.ts';
import type { FileFormat } from '../../src/catalogue/import-export/row-writer.ts';
import { NO_SCHEMAS } from '../../src/catalogue/item-schemas/item-schema-rules.ts';
import { ITEM } from '../../src/catalogue/records/record.ts';
import { createVerificationService } from '../../src/catalogue/verification/verification-service.ts';
import type { StoredVersion } from '../../src/catalogue/verification/verification-store.ts';
import { createPlanner } from './catalogue-in-memory.ts';

const COUNT = 400;
/** A time slice has some two elements. */
const FEWEST_ITERATIONS = COUNT / 4;

beforeEach(() => {
  vi.restoreAllMocks();
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => (now += 1));
});

const numbers = Array.from({ length: COUNT }, (_, index) => index);

/** How many iterations of the event loop the work takes. */
const countIterations = async (work: () => Promise<unknown>): Promise<number> => {
  let iterations = 0;
  let next: NodeJS.Immediate;
  const count = () => {
    iterations += 1;
    next = setImmediate(count);
  };
  next = setImmediate(count);
  try {
    await work();
  } finally {
    clearImmediate(next);
  }
  return iterations;
};

/** Values that no test here reads. */
const UNUSED = { actor: { accountId: 'a' }, authority: { administers: true }, call: {} };

const toFields = (index: number) => ({ name: `Item ${index}`, item_type: 'unit' });

/** Imports a file that arrives in these pieces into a sandbox with these records. */
const openImport = (pieces: readonly string[], live: readonly number[]) => {
  const imports = createPlanner(async (after, limit) => {
    const from = live.findIndex((index) => `r${index}` === after) + 1;
    return live.slice(from, from + limit).map(toLive);
  });
  const request: ImportRequest = {
    sandboxId: 's',
    kind: 'item',
    deleteMissing: true,
    reason: undefined,
    format: 'ndjson',
    bytes: toBytes(pieces),
    expectedHeadSeq: undefined,
  };
  return { imports, request };
};

async function* toBytes(pieces: readonly string[]) {
  for (const piece of pieces) yield Buffer.from(piece);
}

const toFile = (rows: readonly object[]): string =>
  rows.map((fields) => `${JSON.stringify(fields)}\n`).join('');

const toLive = (index: number): CurrentRecord => ({
  recordId: `r${index}`,
  name: `Item ${index}`,
  version: 1,
  deleted: false,
  legacyId: null,
  snapshot: JSON.stringify({ item_id: `r${index}`, ...toFields(index) }),
});

const readImport = () => {
  const { imports, request } = openImport(
    numbers.map((row) => toFile([toFields(row)])),
    [],
  );
  return imports.read(request);
};

const readRows = async (format: FileFormat, ...pieces: string[]) => {
  const rows: unknown[] = [];
  const { entries } = readFile(format, toBytes(pieces), createFileColumns(ITEM));
  for await (const row of entries) rows.push(row);
  return rows;
};

/** The file is one piece, so that reading it does not yield. */
const planImport = async (file = toFile(numbers.map(toFields)), live: readonly number[] = []) => {
  const { imports, request } = openImport([file], live);
  return imports.plan(await imports.read(request));
};

const planDeletes = () => planImport('', numbers);

const openWriter = (onAppend = () => {}, refreshStatistics = async () => {}) => {
  const transaction = {
    head: { seq: 0, hash: null, issuedAt: undefined },
    sandbox: { name: 's', protected: false, archived: false, requiredApprovals: 0 },
    findRecords: async () => [],
    references: {
      findTables: async () => [],
      findAdded: async () => [],
      findReferring: async () => [],
    },
    findVersions: async () => [],
    changeSets: {} as CatalogueTransaction['changeSets'],
    itemSchemas: {
      readCurrent: async () => NO_SCHEMAS,
      find: async () => null,
      add: async () => {},
    },
    append: async () => onAppend(),
    refreshStatistics,
    audit: async () => {},
  };
  return createCatalogueWriter(
    { write: async (_, work) => ({ result: await work(transaction) }) },
    { now: () => new Date(0), newId: () => 'id' },
  );
};

/** Operations that create records with names of this length. */
const createRecords = (nameLength = 0) => ({
  ...UNUSED,
  sandboxId: 's',
  reason: undefined,
  authority: { administers: true, confirmedName: undefined },
  operations: numbers.map((index) => ({
    type: 'create' as const,
    recordId: `r${index}`,
    reason: undefined,
    fields: { name: `Item ${index}`.padEnd(nameLength), item_type: 'unit' },
  })),
});

const writeBulk = () => openWriter().write(ITEM, { ...createRecords(), procedure: 'bulk' });

const writeParts = (
  writer: CatalogueWriter,
  batches: Iterable<readonly RecordOperation[]>,
  count = COUNT,
) =>
  writer.writeInParts({
    actor: UNUSED.actor,
    sandboxId: 's',
    count,
    async *plan(_, open) {
      for (const batch of batches) {
        const { versions } = planWrite(open(ITEM), batch, false);
        yield { versions, operations: batch.length };
      }
    },
    finish: async () => undefined,
  });

const toVersion = (index: number): StoredVersion => {
  const snapshot = `{"item_id":"r${index}","name":"Item"}`;
  const seq = index + 1;
  const record = { headSeq: seq, version: 1, name: 'Item', foldedName: 'item', deleted: false };
  return {
    seq,
    kind: 'item',
    recordId: `r${index}`,
    version: 1,
    versionId: 'v',
    transactionId: 't',
    operation: 'insert',
    accountId: 'a',
    reason: null,
    issuedAt: new Date(0),
    versionName: 'Item',
    changedFields: ['name'],
    snapshot,
    previousSnapshot: null,
    hash: Buffer.alloc(32),
    computeHash: () => Buffer.alloc(32),
    isNewest: true,
    record: { ...record, legacyId: null, snapshot },
  };
};

const verify = (signal?: AbortSignal, onPage = () => {}) => {
  const chain = {
    readSandbox: async () => ({ headSeq: COUNT, headHash: null, itemVersions: 0, xpVersions: 0 }),
    readHash: async () => null,
    readVersions: async (after: number, _: Buffer | null, limit: number) => {
      onPage();
      return numbers.slice(after, after + limit).map(toVersion);
    },
    countVersions: async () => ({ item: COUNT, xp: 0 }),
    findRecordWithoutVersion: async () => null,
  };
  const service = createVerificationService({ inSnapshot: (_, work) => work(chain) }, (work) =>
    work(),
  );
  return service.check('s', 0, 10 * COUNT, signal);
};

const listKeys = () => {
  const key = {
    keyId: 'k',
    accountId: 'a',
    name: 'A key',
    prefix: 'msk_',
    permissions: ['session:view'],
    sandboxIds: [],
    createdAt: new Date(0),
    expiresAt: null,
    revokedAt: null,
  };
  const keys = numbers.map(() => key);
  const account = { accountId: 'a', name: 'Backend', createdAt: new Date(0), keys };
  const store = { list: async () => [account] } as never;
  const service = createKeyService(
    store,
    { read: async () => ({ days: [], last_refusals: [] }) },
    () => new Date(0),
    () => {},
  );
  return service.list({ permissions: ['*'] } as never, undefined, 10);
};

test.each([
  ['the reading of a file', readImport],
  ['the reading of blank lines', () => readRows('ndjson', '{}\n', '\n'.repeat(COUNT))],
  ['the reading of a line in pieces', () => readRows('ndjson', ...Array(COUNT).fill('x'))],
  ['the reading of CSV in pieces', () => readRows('csv', 'name\n', ...Array(COUNT).fill('\n'))],
  ['the plan of an import', () => planImport()],
  ['the plan of what an import deletes', planDeletes],
  ['a bulk edit', writeBulk],
  ['a verification', () => verify()],
  ['a list of keys', listKeys],
])('%s yields the event loop', async (_, work) => {
  expect(await countIterations(work)).toBeGreaterThan(FEWEST_ITERATIONS);
});

const NAMES = `{${numbers.map((n) => `"${n}":"${'x'.repeat(1_000)}"`).join(',')}}`;

test.each<[string, FileFormat, string]>([
  ['a line', 'ndjson', `{"name":"Item","custom_data":${NAMES}}`],
  ['an element of a list', 'ndjson', `[{"name":"Item","custom_data":${NAMES}}]`],
  ['a cell', 'csv', `name,custom_data\nItem,"${NAMES.replaceAll('"', '""')}"`],
])('%s of JSON as long as a row may be is read in pieces', async (_, format, file) => {
  const fields = { name: 'Item', custom_data: JSON.parse(NAMES) };
  const read = vi.spyOn(JSON, 'parse');
  expect(await readRows(format, file)).toEqual([expect.objectContaining({ fields })]);
  const lengths = read.mock.calls.map(([text]) => text.length);
  expect(lengths.length).toBeGreaterThan(4);
  expect(Math.max(...lengths)).toBeLessThan(NAMES.length / 4);
});

test('of several long lists that are validated at the same time, one continues in each iteration of the event loop', async () => {
  const iterations: Set<number>[] = [];
  const readList = (list: number) => {
    const note = z.int().transform(() => void iterations.at(-1)?.add(list));
    return boundedList(note, { max: COUNT }).parseAsync(numbers);
  };
  let next: NodeJS.Immediate;
  const begin = () => {
    iterations.push(new Set());
    next = setImmediate(begin);
  };
  next = setImmediate(begin);
  await Promise.all([1, 2, 3, 4].map(readList)).finally(() => clearImmediate(next));
  expect(iterations.filter(({ size }) => size > 1)).toEqual([]);
  expect(iterations.filter(({ size }) => size === 1).length).toBeGreaterThan(COUNT / 5);
});

test('a long write yields the event loop between its statements', async () => {
  /** Their number in each iteration of the event loop. */
  const made = [0];
  let next: NodeJS.Immediate;
  const begin = () => {
    made.push(0);
    next = setImmediate(begin);
  };
  next = setImmediate(begin);
  const writer = openWriter(() => made.push((made.pop() ?? 0) + 1));
  // Each record fills a statement.
  const { operations } = createRecords(262_144);
  await writeParts(writer, [operations]).finally(() => clearImmediate(next));
  expect(made.reduce((sum, count) => sum + count)).toBe(COUNT);
  expect(made.filter((count) => count > 0).length).toBeGreaterThan(FEWEST_ITERATIONS);
});

test('a write of large records, a few of which make a batch, refreshes statistics when some hundred are written', async () => {
  let written = 0;
  const refreshedAt: number[] = [];
  const writer = openWriter(
    () => {},
    async () => void refreshedAt.push(written),
  );
  const { operations } = createRecords();
  const records = [...operations, ...operations].map((operation, index) => ({
    ...operation,
    recordId: `r${index}`,
  }));
  function* inBatches() {
    for (; written < records.length; written += 20) yield records.slice(written, written + 20);
  }
  await writeParts(writer, inBatches(), records.length);
  expect(refreshedAt).toEqual([480]);
});

test('a verification pauses after each time slice, and other work continues', async () => {
  expect(await countIterations(() => verify())).toBeGreaterThan(4 * COUNT);
});

test('a verification whose client has left ends at its next page', async () => {
  const leaving = new AbortController();
  const { checked_to_seq, done } = await verify(leaving.signal, () => leaving.abort());
  expect(checked_to_seq).toBeLessThan(COUNT);
  expect(done).toBe(false);
});

test('describes only some of the problems of each row, and counts all of them', async () => {
  const fields = { name: 'Item', item_type: 'unit', tags: Array(100).fill('') };
  const file = toFile(Array(60).fill(fields));
  const described = vi.spyOn(JSON, 'stringify');
  const answer = await planImport(file);
  expect(answer.errors).toHaveLength(1_000);
  expect(answer.error_count).toBe(6_000);
  expect(described.mock.calls.length).toBeLessThan(3_000);
});
