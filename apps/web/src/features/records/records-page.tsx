// The list of all Items or all Xp tables of a sandbox.

import { Checkbox } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { usePermission } from '../../api/me.ts';
import { useSandbox, useSandboxId } from '../../api/sandboxes.ts';
import { ActionButton } from '../../ui/action-button.tsx';
import { useCommand } from '../../ui/commands.ts';
import { ChoiceFilter, FilterBar, TextFilter } from '../../ui/filters.tsx';
import { Page } from '../../ui/page.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { DataTable } from '../../ui/table/data-table.tsx';
import { usePagedRows } from '../../ui/table/paged-rows.ts';
import { useUrlChange, useUrlValues } from '../../ui/url-state.tsx';
import { BulkEditDialog } from './bulk-edit-dialog.tsx';
import { AddCustomColumn, useRecordColumns } from './custom-columns.tsx';
import { DeleteDialog } from './record-dialogs.tsx';
import type { RecordKind, StoredRecord } from './record-kind.ts';
import { ITEM_TYPES } from './record-kind.ts';
import { recordListOptions, useSelectedRecords } from './record-queries.ts';
import { RecordsExport } from './records-export.tsx';
import { SavedViews, SaveViewForm } from './saved-views.tsx';
import { ValueFilter } from './value-filter.tsx';

const FILTERS = {
  item: ['name', 'type', 'tag', 'key', 'deleted', 'where'],
  xp: ['name', 'key', 'deleted', 'where'],
};

export const RecordsPage = ({ kind }: { kind: RecordKind }) => {
  const sandbox = useSandboxId();
  const navigate = useNavigate();
  const rows = usePagedRows(recordListOptions(kind, sandbox, useUrlValues()));
  const columns = useRecordColumns(kind, rows.rows);
  const mayEdit = usePermission(['sandbox:config:edit'], sandbox);
  const create = () => void navigate({ to: kind.paths.create, params: { sandbox } });
  useCommand({ label: `New ${kind.one}`, keys: 'n', enabled: mayEdit, run: create });
  return (
    <Page
      title={kind.many}
      layout="fill"
      actions={
        <>
          <SavedViews kind={kind} />
          <RecordsExport kind={kind} />
          <ActionButton anyOf={['sandbox:config:edit']} sandbox={sandbox} onClick={create}>
            New {kind.one}
          </ActionButton>
        </>
      }
    >
      <FilterBar names={FILTERS[kind.kind]}>
        <TextFilter name="name" label="Name" isMain />
        {kind.kind === 'item' && (
          <>
            <ChoiceFilter name="type" label="Type" choices={ITEM_TYPES} width={190} />
            <TextFilter name="tag" label="Tag" placeholder="Exact tag" width={140} />
          </>
        )}
        <TextFilter name="key" label="Custom data key" placeholder="Exact key" width={150} />
        <DeletedFilter />
        <ValueFilter kind={kind} known={rows.rows} />
      </FilterBar>
      <DataTable
        label={kind.many}
        rows={rows}
        columns={columns}
        columnChoiceEnd={(shown) => (
          <>
            <AddCustomColumn shown={shown} />
            <SaveViewForm kind={kind} />
          </>
        )}
        onOpen={(record) =>
          void navigate({ to: kind.paths.record, params: { sandbox, id: kind.idOf(record) } })
        }
        filters={FILTERS[kind.kind]}
        selectedActions={
          mayEdit
            ? (ids, clearSelection) => (
                <SelectedActions kind={kind} ids={ids} known={rows.rows} onDone={clearSelection} />
              )
            : undefined
        }
        empty={
          <EmptyState title={`There is no ${kind.one} yet`}>
            {mayEdit
              ? `Create the first one with "New ${kind.one}", or import a file.`
              : 'People who may edit this sandbox can create the first one.'}
          </EmptyState>
        }
      />
    </Page>
  );
};

const DeletedFilter = () => {
  const { deleted } = useUrlValues();
  const change = useUrlChange();
  return (
    <Checkbox
      // Aligns the label with the text of the fields beside it.
      display="flex"
      mih={30}
      style={{ alignItems: 'center' }}
      label="Include deleted"
      checked={deleted === true}
      onChange={(event) =>
        change({ deleted: event.currentTarget.checked || undefined, sel: undefined })
      }
    />
  );
};

type SelectedActionsProps = {
  kind: RecordKind;
  ids: readonly string[];
  /** The loaded rows. */
  known: readonly StoredRecord[];
  onDone: () => void;
};

/** Actions for all selected records. Deleted ones are skipped. */
const SelectedActions = ({ kind, ids, known, onDone }: SelectedActionsProps) => {
  const sandbox = useSandboxId();
  const [open, setOpen] = useState<'edit' | 'delete' | null>(null);
  const selected = useSelectedRecords(kind, ids, known);
  const isProtected = useSandbox(sandbox)?.protected === true;
  const reason =
    (selected.error !== null && 'Some of the selected records could not be read.') ||
    (selected.isLoading && 'The selected records are being read.') ||
    (selected.records.length === 0 && 'Only deleted records are selected.');
  const close = () => setOpen(null);
  return (
    <>
      <ActionButton variant="default" reason={reason} onClick={() => setOpen('edit')}>
        Edit …
      </ActionButton>
      <ActionButton
        variant="default"
        reason={reason}
        anyOf={isProtected ? ['sandbox:*'] : ['sandbox:config:edit']}
        sandbox={sandbox}
        onClick={() => setOpen('delete')}
      >
        Delete …
      </ActionButton>
      {open === 'edit' && (
        <BulkEditDialog kind={kind} records={selected.records} onDone={onDone} onClose={close} />
      )}
      {open === 'delete' && (
        <DeleteDialog kind={kind} records={selected.records} onDone={onDone} onClose={close} />
      )}
    </>
  );
};
