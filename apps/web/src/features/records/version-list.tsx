import { nameField } from '@muster/record-diff';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { ApiOutputs } from '../../api/client.ts';
import { api, queryClient, trpc } from '../../api/client.ts';
import { useSandboxId } from '../../api/sandboxes.ts';
import { CopyableId } from '../../ui/copyable.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { DataTable } from '../../ui/table/data-table.tsx';
import { usePagedRows } from '../../ui/table/paged-rows.ts';
import { defineColumns } from '../../ui/table/table-model.ts';
import { useUrlChange } from '../../ui/url-state.tsx';
import type { RecordKind } from './record-kind.ts';
import { VersionLink } from './record-links.tsx';
import { recordOptions } from './record-queries.ts';
import type { Version } from './version-columns.tsx';
import { VERSION_COLUMNS } from './version-columns.tsx';

type VersionListProps = { kind: RecordKind; id: string };

const rowId = (row: Version) => row.version_id;
const rowsOf = (page: ApiOutputs['versions']['list']) => page.versions;

/** Every version of a record, newest first. The selected one opens beside the list. */
export const VersionList = ({ kind, id }: VersionListProps) => {
  const sandbox = useSandboxId();
  const change = useUrlChange();
  const input = { sandbox_id: sandbox, kind: kind.kind, record_id: id };
  const rows = usePagedRows({
    queryKey: [...trpc.versions.list.pathKey(), input],
    fetchPage: (cursor, signal) => api.versions.list.query({ ...input, cursor }, { signal }),
    rowsOf,
    rowId,
    liveMs: LIVE_MS,
  });
  useFreshRecord(kind, sandbox, id, rows.newest?.version);
  return (
    <DataTable
      label="versions"
      rows={rows}
      columns={COLUMNS}
      onOpen={({ version_id }) => change({ version: version_id }, { push: true })}
      empty={<EmptyState title="No version is known" />}
    />
  );
};

/** Polls, so that versions by other users appear within seconds. */
const LIVE_MS = 5_000;

/**
 * Refetches the record when the list has a newer version than the page, so that
 * the page never compares with, or restores over, an outdated version.
 */
const useFreshRecord = (
  kind: RecordKind,
  sandbox: string,
  id: string,
  newest: number | undefined,
): void => {
  const { queryKey } = recordOptions(kind, sandbox, id);
  const known = useQuery(recordOptions(kind, sandbox, id)).data?.version;
  const isStale = newest !== undefined && known !== undefined && newest > known;
  useEffect(() => {
    if (isStale) void queryClient.invalidateQueries({ queryKey });
  });
};

const COLUMNS = defineColumns<Version>({
  version: {
    header: 'Version',
    width: 90,
    align: 'end',
    cell: (version) => <VersionLink version={version}>{version.version}</VersionLink>,
  },
  operation: VERSION_COLUMNS.operation,
  fields: {
    header: 'Changed',
    width: 200,
    grow: true,
    isOnPhone: false,
    cell: ({ changed_fields }) => changed_fields.map(nameField).join(', ') || '–',
  },
  reason: { ...VERSION_COLUMNS.reason, width: 220 },
  who: { ...VERSION_COLUMNS.who, width: 160 },
  when: VERSION_COLUMNS.when,
  id: {
    header: 'Version id',
    width: 130,
    isShown: false,
    cell: ({ version_id }) => <CopyableId id={version_id} label="version id" short />,
  },
});
