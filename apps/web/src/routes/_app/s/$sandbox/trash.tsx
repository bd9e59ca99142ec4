// Deleted records, with actions to restore them.

import { SegmentedControl } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute, useNavigate } from '@tanstack/react-router';
import { z } from 'zod';
import { trpc } from '../../../../api/client.ts';
import { usePermission } from '../../../../api/me.ts';
import { useSandboxId } from '../../../../api/sandboxes.ts';
import { AccountName } from '../../../../features/accounts/account-name.tsx';
import { PlannedActionButton } from '../../../../features/records/planned-action.tsx';
import type { RecordKind, StoredRecord } from '../../../../features/records/record-kind.ts';
import { ITEM, KIND_CHOICES, XP } from '../../../../features/records/record-kind.ts';
import { RecordLink } from '../../../../features/records/record-links.tsx';
import { trashOptions } from '../../../../features/records/record-queries.ts';
import { CopyableId } from '../../../../ui/copyable.tsx';
import { FilterBar, TextFilter } from '../../../../ui/filters.tsx';
import { Page } from '../../../../ui/page.tsx';
import { EmptyState } from '../../../../ui/states.tsx';
import { DataTable } from '../../../../ui/table/data-table.tsx';
import { usePagedRows } from '../../../../ui/table/paged-rows.ts';
import { defineColumns } from '../../../../ui/table/table-model.ts';
import { TimeText } from '../../../../ui/time.tsx';
import { tableSearchFields, textParam, useUrlChange } from '../../../../ui/url-state.tsx';

const TrashSearch = z.object({
  ...tableSearchFields,
  /** Part of the name. */
  name: textParam,
  /** Absent: Items. */
  kind: z.literal('xp').optional().catch(undefined),
});

export const Route = createFileRoute('/_app/s/$sandbox/trash')({
  validateSearch: TrashSearch,
  component: TrashPage,
});

const FILTERS = ['name'];

function TrashPage() {
  const { sandbox } = Route.useParams();
  const { name, kind: chosen } = Route.useSearch();
  const kind = chosen === 'xp' ? XP : ITEM;
  const navigate = useNavigate();
  const change = useUrlChange();
  const rows = usePagedRows(trashOptions(kind, sandbox, name));
  const mayEdit = usePermission(['sandbox:config:edit'], sandbox);
  return (
    <Page
      title="Trash"
      layout="fill"
      actions={
        <SegmentedControl
          aria-label="Kind"
          data={KIND_CHOICES}
          value={kind.kind}
          onChange={(next) => change({ kind: next === 'xp' ? next : undefined, sel: undefined })}
        />
      }
    >
      <FilterBar names={FILTERS}>
        <TextFilter name="name" label="Name" isMain />
      </FilterBar>
      <DataTable
        label={`deleted ${kind.many}`}
        rows={rows}
        columns={TRASH_COLUMNS[kind.kind]}
        onOpen={(record) =>
          void navigate({ to: kind.paths.record, params: { sandbox, id: kind.idOf(record) } })
        }
        filters={FILTERS}
        selectedActions={
          mayEdit
            ? (ids, clearSelection) => (
                <PlannedActionButton
                  kind={kind}
                  target={{ ids }}
                  operation="restore"
                  onDone={clearSelection}
                />
              )
            : undefined
        }
        empty={
          <EmptyState title={`No ${kind.one} has been deleted`}>
            Deleted records are kept here and can be restored at any time.
          </EmptyState>
        }
      />
    </Page>
  );
}

const columnsOf = (kind: RecordKind) =>
  defineColumns<StoredRecord>({
    name: {
      header: 'Name',
      width: 220,
      grow: true,
      cell: (record) => <RecordLink kind={kind} id={kind.idOf(record)} name={record.name} />,
    },
    deleted: { header: 'Deleted', width: 130, cell: ({ updated }) => <TimeText at={updated} /> },
    by: {
      header: 'By, and why',
      width: 240,
      grow: true,
      isOnPhone: false,
      cell: ({ version_id }) => <Deletion versionId={version_id} />,
    },
    id: {
      header: 'Id',
      width: 130,
      isOnPhone: false,
      cell: (record) => <CopyableId id={kind.idOf(record)} short />,
    },
  });

const TRASH_COLUMNS = { item: columnsOf(ITEM), xp: columnsOf(XP) };

/** The account that deleted a record and the reason, from the newest version. Loaded only for visible rows. */
const Deletion = ({ versionId }: { versionId: string }) => {
  const { data } = useQuery({
    ...trpc.versions.get.queryOptions({ sandbox_id: useSandboxId(), version_id: versionId }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (!data) return null;
  return (
    <>
      <AccountName id={data.account_id} />
      {data.reason && `: ${data.reason}`}
    </>
  );
};
