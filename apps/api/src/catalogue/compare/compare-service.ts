// Compares two sandboxes: records that only one of them has, and records that differ.
import type { Item, Xp } from '@muster/contract';
import type { FieldChange } from '@muster/record-diff';
import { diffRecords } from '@muster/record-diff';
import type { Semaphore } from '../../flow/index.ts';
import { createPacer } from '../../flow/index.ts';
import { ServiceError } from '../../platform/index.ts';
import { cutPage } from '../pagination.ts';
import type {
  ComparedRow,
  ComparePosition,
  CompareStore,
  Difference,
  Pair,
  StatusCounts,
} from './compare-store.ts';
import type { PastCompareStore } from './past-compare-store.ts';

type ComparedRecord = { record: Item | Xp; version: number; version_id: string };

type ComparedEntry = {
  record_id: string;
  name: string;
  status: Difference;
  /** Absent when the sandbox has no such record, or has deleted it. */
  source?: ComparedRecord;
  target?: ComparedRecord;
  /** The changes from the target's record to the source's. */
  changes: FieldChange[];
};

type ComparePage = {
  entries: ComparedEntry[];
  /** Counted for the first page, for every status. */
  counts: StatusCounts;
  /** Null on the last page. */
  next: ComparePosition | null;
};

type CompareRequest = Pair & {
  /** Compares the sandbox with itself at this time; target and source are then the same. */
  sourceAt: Date | undefined;
  status: Difference | undefined;
  after: ComparePosition | null;
  pageSize: number;
  /** When it is aborted, remaining reads are skipped and its reason is thrown. */
  signal?: AbortSignal | undefined;
};

export type CompareService = {
  /**
   * Sorted by id. Errors: sandbox_not_found, input_invalid (the same sandbox twice, or another one at a time),
   * service_unavailable (too many wait).
   */
  list(request: CompareRequest): Promise<ComparePage>;
};

export const createCompareService = (
  store: CompareStore,
  pastStore: PastCompareStore,
  inSlot: Semaphore,
): CompareService => ({
  list: async ({ status, after, pageSize, signal, sourceAt, ...pair }) => {
    const { countStatuses, readPage } = sourceAt
      ? await openPast(store, pastStore, pair, sourceAt)
      : await openPair(store, pair);
    const counts = after?.counts ?? (await inSlot(countStatuses, signal));
    const start = after?.recordId ?? null;
    const found = await inSlot(() => readPage(status, start, pageSize + 1), signal);
    const { page, last } = cutPage(found, pageSize, fitsPage);
    const { entries, isCut } = await compareRows(page);
    const end = isCut ? page[entries.length - 1] : last;
    return { entries, counts, next: end ? { recordId: end.record_id, counts } : null };
  },
});

/** Differences of one page; each takes some hundred bytes besides its values. The pair that exceeds it is the last one. */
const MAX_CHANGES = 10_000;

const compareRows = async (
  page: readonly ComparedRow[],
): Promise<{ entries: ComparedEntry[]; isCut: boolean }> => {
  const pacer = createPacer();
  const entries: ComparedEntry[] = [];
  let count = 0;
  for (const row of page) {
    if (count >= MAX_CHANGES) return { entries, isCut: true };
    if (pacer.isDue()) await pacer.rest();
    const entry = toEntry(row);
    entries.push(entry);
    count += entry.changes.length;
  }
  return { entries, isCut: false };
};

const fitsPage = (row: ComparedRow): row is ComparedRow => row.fits;

type ComparedReads = {
  countStatuses(): Promise<StatusCounts>;
  readPage(
    status: Difference | undefined,
    after: string | null,
    limit: number,
  ): Promise<ComparedRow[]>;
};

const openPair = async (store: CompareStore, pair: Pair): Promise<ComparedReads> => {
  const { target, source } = pair;
  if (target === source) {
    throw new ServiceError('input_invalid', { desc: 'Name two different sandboxes.' });
  }
  if ((await store.countSandboxes([target, source])) < 2) {
    throw new ServiceError('sandbox_not_found');
  }
  return {
    countStatuses: () => store.countStatuses(pair),
    readPage: (...page) => store.readPage(pair, ...page),
  };
};

const openPast = async (
  store: CompareStore,
  pastStore: PastCompareStore,
  { target, source, kind }: Pair,
  at: Date,
): Promise<ComparedReads> => {
  if (target !== source) {
    throw new ServiceError('input_invalid', {
      desc: 'Only a sandbox itself can be the source at a time: name it twice.',
    });
  }
  const isKnown = (await store.countSandboxes([target])) === 1;
  const moment = isKnown && (await pastStore.findMoment(target, at));
  if (!moment) throw new ServiceError('sandbox_not_found');
  const pair = { sandboxId: target, kind, moment };
  return {
    countStatuses: () => pastStore.countStatuses(pair),
    readPage: (...page) => pastStore.readPage(pair, ...page),
  };
};

const toEntry = (row: ComparedRow): ComparedEntry => {
  const source = toRecord(row.source_snapshot, row.source_version, row.source_version_id);
  const target = toRecord(row.target_snapshot, row.target_version, row.target_version_id);
  return {
    record_id: row.record_id,
    name: (source ?? target)?.record.name ?? '',
    status: row.status,
    ...(source && { source }),
    ...(target && { target }),
    changes: diffRecords(target?.record ?? null, source?.record ?? null),
  };
};

const toRecord = (
  snapshot: string | null,
  version: number | null,
  versionId: string | null,
): ComparedRecord | undefined =>
  snapshot === null || version === null || versionId === null
    ? undefined
    : { record: JSON.parse(snapshot), version, version_id: versionId };
