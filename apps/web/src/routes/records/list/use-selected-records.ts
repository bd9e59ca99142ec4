import { useQueries } from '@tanstack/react-query';
import type { RecordKind } from '../../../features/records/record-kind.ts';
import { readId } from '../../../features/records/record-kind.ts';
import type { StoredRecord } from '../../../features/records/record-procedures.ts';
import { recordOptions } from '../../../features/records/record-queries.ts';

export type SelectedRecords = { records: StoredRecord[]; isLoading: boolean; error: unknown };

/** The selected records: rows of the list, and those that a link selects without the list having read them yet. */
export const useSelectedRecords = (
  kind: RecordKind,
  sandbox: string,
  ids: readonly string[],
  known: readonly StoredRecord[],
): SelectedRecords => {
  const byId = new Map(known.map((record) => [readId(kind, record), record]));
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
