// What is read of one record, and what becomes stale when one is written.
import { queryOptions } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { sandboxesOptions } from '../../access/sandboxes.ts';
import { queryClient } from '../../api/query-client.ts';
import { trpc } from '../../api/trpc.ts';
import type { RecordKind } from './record-kind.ts';
import type { StoredRecord } from './record-procedures.ts';

export const recordOptions = (kind: RecordKind, sandboxId: string, id: string) =>
  queryOptions({
    queryKey: [...kind.procedures.pathKey(), 'one', sandboxId, id],
    queryFn: ({ signal }) => kind.procedures.get({ sandbox_id: sandboxId, id }, signal),
  });

/** After a write: lists, histories, counts and the head of the sandbox are read again when they are next shown. */
export const refreshRecords = (kind: RecordKind): void => {
  const stale = [
    kind.procedures.pathKey(),
    trpc.versions.pathKey(),
    trpc.overview.pathKey(),
    sandboxesOptions.queryKey,
  ];
  for (const queryKey of stale) void queryClient.invalidateQueries({ queryKey });
};

/** The answer of a write is the newest state: shown at once, without asking again. */
export const keepRecord = (
  kind: RecordKind,
  sandboxId: string,
  id: string,
  record: StoredRecord,
): void => {
  refreshRecords(kind);
  queryClient.setQueryData(recordOptions(kind, sandboxId, id).queryKey, record);
};

/** Both ids of the open page; the routes of both kinds name them alike. */
export const useRecordPlace = (): { sandbox: string; id: string } => {
  const { sandbox = '', id = '' } = useParams({ strict: false });
  return { sandbox, id };
};
