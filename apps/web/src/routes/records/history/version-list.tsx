import type { ApiOutputs } from '../../../api/trpc.ts';
import { api, trpc } from '../../../api/trpc.ts';
import { DataTable } from '../../../components/data-table/data-table.tsx';
import { usePagedRows } from '../../../components/data-table/use-paged-rows.ts';
import { EmptyState } from '../../../components/states/empty-state.tsx';
import { useUrlChange } from '../../../components/url/url-state.ts';
import type { RecordKind } from '../../../features/records/record-kind.ts';
import type { Version } from './version-columns.tsx';
import { VERSION_COLUMNS } from './version-columns.tsx';

type VersionListProps = { kind: RecordKind; sandbox: string; id: string };

const rowId = (row: Version) => row.version_id;
const rowsOf = (page: ApiOutputs['versions']['list']) => page.versions;

/** Every version of a record, newest first; one is opened beside the list. */
export const VersionList = ({ kind, sandbox, id }: VersionListProps) => {
  const change = useUrlChange();
  const input = { sandbox_id: sandbox, kind: kind.kind, record_id: id };
  const rows = usePagedRows({
    queryKey: [...trpc.versions.list.pathKey(), input],
    fetchPage: (cursor, signal) => api.versions.list.query({ ...input, cursor }, { signal }),
    rowsOf,
    rowId,
  });
  return (
    <DataTable
      label="versions"
      rows={rows}
      columns={VERSION_COLUMNS}
      onOpen={({ version_id }) => change({ version: version_id }, { push: true })}
      empty={<EmptyState title="No version is known" />}
    />
  );
};
