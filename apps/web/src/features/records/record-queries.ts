// The queries for records, and the keys that a write invalidates.
import type { QueryKey } from '@tanstack/react-query';
import { queryOptions, useQueries, useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { trpc } from '../../api/client.ts';
import { sandboxesOptions, useSandboxId } from '../../api/sandboxes.ts';
import type { PagedRowsOptions } from '../../ui/table/paged-rows.ts';
import type { ListSort, RecordKind, RecordPage, StoredRecord } from './record-kind.ts';
import { ITEM, XP } from './record-kind.ts';
import type { RecordsSearch } from './record-search.ts';

export const recordOptions = (kind: RecordKind, sandboxId: string, id: string) =>
  queryOptions({
    queryKey: [...kind.procedures.pathKey(), 'one', sandboxId, id],
    queryFn: ({ signal }) => kind.procedures.get({ sandbox_id: sandboxId, id }, signal),
  });

/** The queries that a write invalidates: lists, histories, counts and the head of the sandbox. */
export const recordKeys = (kind: RecordKind): readonly QueryKey[] => [
  kind.procedures.pathKey(),
  trpc.versions.pathKey(),
  trpc.edits.pathKey(),
  trpc.overview.pathKey(),
  sandboxesOptions.queryKey,
];

/** The same for a write to many records of any kind. */
export const CATALOGUE_KEYS: readonly QueryKey[] = [
  ...recordKeys(ITEM),
  ...recordKeys(XP),
  trpc.records.pathKey(),
  trpc.compare.pathKey(),
];

/** The id of the record whose page is open. The routes of both kinds use the same parameter. */
export const useRecordId = (): string => useParams({ strict: false }).id ?? '';

const PAGE_SIZE = 100;
const rowsOf = (page: RecordPage) => page.records;

/** The filters of a list, as the service takes them. */
export const readListFilter = (
  kind: RecordKind,
  { name, type, tag, key, where }: RecordsSearch,
) => ({
  name,
  custom_key: key,
  where,
  ...(kind.kind === 'item' && { item_type: type, tag }),
});

export const recordListOptions = (
  kind: RecordKind,
  sandbox: string,
  search: RecordsSearch,
  /** By name without one. */
  sort: ListSort = {},
): PagedRowsOptions<RecordPage, StoredRecord> => {
  const input = {
    sandbox_id: sandbox,
    page_size: PAGE_SIZE,
    include_deleted: search.deleted === true,
    ...readListFilter(kind, search),
    ...sort,
  };
  return {
    queryKey: [...kind.procedures.pathKey(), 'list', sandbox, input],
    sortsAll: true,
    fetchPage: (cursor, signal) => kind.procedures.list({ ...input, cursor }, signal),
    rowsOf,
    rowId: kind.idOf,
  };
};

export const trashOptions = (
  kind: RecordKind,
  sandbox_id: string,
  name: string | undefined,
): PagedRowsOptions<RecordPage, StoredRecord> => {
  const input = { sandbox_id, name, only_deleted: true, page_size: PAGE_SIZE };
  return {
    queryKey: [...kind.procedures.pathKey(), 'trash', input],
    fetchPage: (cursor, signal) => kind.procedures.list({ ...input, cursor }, signal),
    rowsOf,
    rowId: kind.idOf,
  };
};

/** The name of an Xp table; its id if there is no such table. */
export const useXpName = (id: string | undefined): string => {
  const sandbox = useSandboxId();
  const table = useQuery({ ...recordOptions(XP, sandbox, id ?? ''), enabled: id !== undefined });
  if (id === undefined) return '';
  if (!table.data) return table.isPending ? '…' : id;
  return table.data.deleted ? `${table.data.name} (deleted)` : table.data.name;
};

/** The selected records: rows of the list, and records that a link selects before the list has loaded them. */
export const useSelectedRecords = (
  kind: RecordKind,
  ids: readonly string[],
  known: readonly StoredRecord[],
) => {
  const sandbox = useSandboxId();
  const byId = new Map(known.map((record) => [kind.idOf(record), record]));
  const missing = ids.filter((id) => !byId.has(id));
  const asked = useQueries({
    queries: missing.map((id) => recordOptions(kind, sandbox, id)),
    combine: (results) => ({
      found: results.flatMap(({ data }) => (data ? [data] : [])),
      isLoading: results.some(({ isPending }) => isPending),
      error: results.find(({ error }) => error)?.error ?? null,
    }),
  });
  const listed = ids.flatMap((id) => byId.get(id) ?? []);
  return {
    records: [...listed, ...asked.found].filter(({ deleted }) => !deleted),
    isLoading: asked.isLoading,
    error: asked.error,
  };
};
