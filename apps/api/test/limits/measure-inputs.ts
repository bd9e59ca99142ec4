// Every kind of input that can be large, one, two and four times as much of it, and the steps that each takes. Runs as a
// worker thread: what the counter replaces stays slow in its thread for ever.
import { parentPort } from 'node:worker_threads';
import {
  ItemHistoryQuery,
  itemFields,
  permits,
  SessionInput,
  StringMap,
  XpThreshold,
  xpFields,
} from '@muster/contract';
import { diffRecords } from '@muster/record-diff';
import { z } from 'zod';
import { planWrite } from '../../src/catalogue/edits/edit-rules.ts';
import type { FileFormat } from '../../src/catalogue/import-export/row-writer.ts';
import { ItemInputs } from '../../src/catalogue/records/record-inputs.ts';
import { mergeProblems, parseQuery } from '../../src/http/public-request.ts';
import { findBadQueryEscapes } from '../../src/http/request.ts';
import { createPlanner, EMPTY_SANDBOX } from './catalogue-in-memory.ts';
import { countSteps } from './count-steps.ts';

const SANDBOX = '0196b8a0-0000-7000-8000-000000000001';

const importer = createPlanner();

/** Plans the import of a file that comes in pieces of this size. */
const plan = async (format: FileFormat, text: string, pieceBytes = 4_096) => {
  async function* pieces() {
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; at += pieceBytes) {
      yield bytes.subarray(at, at + pieceBytes);
    }
  }
  const upload = await importer.read({
    sandboxId: SANDBOX,
    kind: 'item',
    deleteMissing: false,
    reason: undefined,
    format,
    bytes: pieces(),
    expectedHeadSeq: undefined,
  });
  return importer.plan(upload);
};

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
const lines = (count: number, line: (index: number) => string): string =>
  numbers(count).map(line).join('\n');
const mapOf = (count: number) => Object.fromEntries(numbers(count).map((n) => [`k${n}`, 'v']));
const levels = (count: number, first: number) => ({
  xp_thresholds: numbers(count).map((n) => ({ level: 2 * n + first, xp: n })),
});

const create = (index: number) => ({
  type: 'create' as const,
  reason: undefined,
  recordId: `r${index}`,
  fields: { name: `Item ${index}`, item_type: 'unit', legacy_item_id: index },
});

const toLine = (index: number): string =>
  JSON.stringify({ name: `Item ${index}`, item_type: 'unit', legacy_item_id: index });

const planBulk = (count: number) => planWrite(EMPTY_SANDBOX, numbers(count).map(create), true);

/** The name of a large input, its smallest size, and the work for an input of a given size. */
const INPUTS: [what: string, once: number, work: (count: number) => unknown][] = [
  [
    'a CSV header of unknown columns',
    30_000,
    (n) => plan('csv', lines(n, (i) => `c${i}`).replaceAll('\n', ',')),
  ],
  ['a CSV header that repeats a column', 10_000, (n) => plan('csv', 'name,'.repeat(n))],
  ['a CSV row of too many cells', 10_000, (n) => plan('csv', `name,item_type\n${'x,'.repeat(n)}`)],
  [
    'a CSV line byte by byte',
    25_000,
    (n) => plan('csv', `name,item_type\n${'x'.repeat(n)},unit`, 1),
  ],
  ['a CSV file', 500, (n) => plan('csv', `name,item_type\n${lines(n, (i) => `Item ${i},unit`)}`)],
  [
    'a CSV file of bad rows',
    500,
    (n) => plan('csv', `name,item_type\n${lines(n, (i) => `Item ${i},x`)}`),
  ],
  [
    'a CSV cell of a list',
    10_000,
    (n) =>
      plan('csv', `name,item_type,tags\nx,unit,${lines(n, (i) => `${i};`).replaceAll('\n', ' ')}`),
  ],
  [
    'a CSV file of lists',
    500,
    (n) => plan('csv', `name,item_type,tags\n${lines(n, (i) => `Item ${i},unit,a;b;c`)}`),
  ],
  ['an NDJSON row of unknown fields', 57_500, (n) => plan('ndjson', JSON.stringify(mapOf(n)))],
  [
    'NDJSON rows of unknown fields',
    25,
    (n) =>
      plan(
        'ndjson',
        lines(n, () => JSON.stringify(mapOf(2_000))),
      ),
  ],
  [
    'an NDJSON line byte by byte',
    25_000,
    (n) => plan('ndjson', JSON.stringify({ name: 'x'.repeat(n) }), 1),
  ],
  [
    'an NDJSON line of a record with a large map',
    5_000,
    (n) => plan('ndjson', JSON.stringify({ name: 'x', custom_data: mapOf(n) })),
  ],
  [
    'an NDJSON line of a record with a long list',
    10_000,
    (n) => plan('ndjson', JSON.stringify({ name: 'x', tags: numbers(n) })),
  ],
  ['an NDJSON file', 500, (n) => plan('ndjson', lines(n, toLine))],
  ['a JSON array', 500, (n) => plan('ndjson', `[${numbers(n).map(toLine)}]`)],
  [
    'a JSON array byte by byte',
    5_000,
    (n) => plan('ndjson', `[{"name":"${'x'.repeat(n)}"},{"name":"${'['.repeat(n)}"}]`, 1),
  ],
  ['a JSON array of brackets', 10_000, (n) => plan('ndjson', '['.repeat(n))],
  ['a map of strings', 10_000, (n) => StringMap.safeParse(mapOf(n))],
  ['a map of long strings', 10_000, (n) => StringMap.safeParse({ a: '€'.repeat(n) })],
  ['tags', 10_000, (n) => z.object(itemFields).safeParse({ tags: numbers(n) })],
  ['levels', 10_000, (n) => z.object(xpFields).safeParse(levels(n, 0))],
  [
    'levels that are allowed',
    250,
    (n) => z.array(XpThreshold).safeParse(levels(n, 0).xp_thresholds),
  ],
  [
    'teams and their tickets',
    10_000,
    (n) =>
      SessionInput.safeParse({
        type: 't',
        teams: numbers(n).map(() => ({ max_size: 1, ticket_ids: ['t'] })),
      }),
  ],
  [
    'platform sessions',
    10_000,
    (n) => SessionInput.safeParse({ type: 't', platform_session: numbers(n) }),
  ],
  [
    'ids in a query',
    5_000,
    (n) =>
      ItemHistoryQuery.safeParse(
        parseQuery(`item_ids=${'a,'.repeat(n)}&${'legacy_item_ids=x&'.repeat(n)}`),
      ),
  ],
  [
    'bad escapes in a query',
    5_000,
    (n) =>
      mergeProblems(findBadQueryEscapes(lines(n, (i) => `a${i}=%zz`).replaceAll('\n', '&')), []),
  ],
  ['operations of a bulk', 10_000, (n) => ItemInputs.bulk.safeParse({ operations: numbers(n) })],
  ['operations of a bulk that are allowed', 250, planBulk],
  [
    'permissions of a token',
    10_000,
    (n) =>
      permits(
        numbers(n).map((i) => `sandbox:${i}:config:view`),
        ['sandbox:config:view'],
        SANDBOX,
      ),
  ],
  ['tables that are compared', 250, (n) => diffRecords(levels(n, 0), levels(n, 1))],
  [
    'maps that are compared',
    1_000,
    (n) => diffRecords({ custom_data: mapOf(n) }, { custom_data: { ...mapOf(n), k0: 'w' } }),
  ],
];

export type Measured = { what: string; one: number; two: number; four: number };

const measured: Measured[] = [];
for (const [what, once, work] of INPUTS) {
  // Creates what is created once, such as a compiled schema.
  await work(once);
  const one = await countSteps(() => work(once));
  const two = await countSteps(() => work(2 * once));
  const four = await countSteps(() => work(4 * once));
  measured.push({ what, one, two, four });
}

/** What the counter must see: a list without its repetitions, found in the slow way. */
const findUnique = (count: number) => {
  const all = numbers(count);
  return all.filter((value, index) => all.indexOf(value) === index);
};
measured.push({
  what: 'a square',
  one: await countSteps(() => findUnique(100)),
  two: await countSteps(() => findUnique(200)),
  four: await countSteps(() => findUnique(400)),
});
parentPort?.postMessage(measured);
