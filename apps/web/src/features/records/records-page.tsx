// The list of all Items or all Xp tables of a sandbox.

import { Button, Checkbox } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useRef, useState } from 'react';
import { usePermission } from '../../api/me.ts';
import { useSandboxId } from '../../api/sandboxes.ts';
import { ActionButton } from '../../ui/action-button.tsx';
import { useCommand } from '../../ui/commands.ts';
import { ChoiceFilter, FilterBar, TextFilter, useFilters } from '../../ui/filters.tsx';
import { Page } from '../../ui/page.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { DataTable } from '../../ui/table/data-table.tsx';
import { usePagedRows } from '../../ui/table/paged-rows.ts';
import { useIsPhone } from '../../ui/table/table-model.ts';
import { useUrlChange, useUrlValues } from '../../ui/url-state.tsx';
import { AddCustomColumn, readSort, useRecordColumns } from './custom-columns.tsx';
import { EditAllButton, SelectedActions } from './list-actions.tsx';
import classes from './record-columns.module.css';
import type { RecordKind } from './record-kind.ts';
import { ITEM_TYPES } from './record-kind.ts';
import { readListFilter, recordListOptions } from './record-queries.ts';
import type { RecordsSearch } from './record-search.ts';
import { describeTarget } from './record-target.ts';
import { RecordsExport } from './records-export.tsx';
import { SavedViews, SaveViewForm } from './saved-views.tsx';
import { ValueFilter } from './value-filter.tsx';

/** Loaded only for people who may edit. */
const CellEditing = lazy(() =>
  import('./cell-editing.tsx').then((m) => ({ default: m.CellEditing })),
);

const FILTERS = {
  item: ['name', 'type', 'tag', 'key', 'deleted', 'where'],
  xp: ['name', 'key', 'deleted', 'where'],
};

export const RecordsPage = ({ kind }: { kind: RecordKind }) => {
  const sandbox = useSandboxId();
  const navigate = useNavigate();
  const search: RecordsSearch = useUrlValues();
  const rows = usePagedRows(recordListOptions(kind, sandbox, search, readSort(kind, search.sort)));
  const columns = useRecordColumns(kind, rows.rows);
  const all = { filter: readListFilter(kind, search), total: rows.total };
  // "All" is for this list and this selection only.
  const view = JSON.stringify(search);
  const [allOf, setAllOf] = useState<string | null>(null);
  const isAll = allOf === view;
  if (allOf !== null && !isAll) setAllOf(null);
  const { isFiltered } = useFilters(FILTERS[kind.kind]);
  const mayEdit = usePermission(['sandbox:config:edit'], sandbox);
  // On a phone, a tap on a row opens it.
  const editsCells = !useIsPhone() && mayEdit;
  const area = useRef<HTMLDivElement>(null);
  const create = () => void navigate({ to: kind.paths.create, params: { sandbox } });
  useCommand({ label: `New ${kind.one}`, keys: 'n', enabled: mayEdit, run: create });
  return (
    <Page
      title={kind.many}
      layout="fill"
      actions={
        <>
          <SavedViews kind={kind} />
          <RecordsExport kind={kind} total={rows.isTotalExact ? rows.total : undefined} />
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
      <div
        ref={area}
        className={editsCells ? classes.cells : undefined}
        style={{ display: 'contents' }}
      >
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
                  <SelectedActions
                    kind={kind}
                    ids={ids}
                    known={rows.rows}
                    all={isAll ? all : undefined}
                    onDone={clearSelection}
                  >
                    {!isAll && rows.hasMore && ids.length >= rows.rows.length && (
                      <Button variant="light" onClick={() => setAllOf(view)}>
                        Select all {rows.total?.toLocaleString('en')} that match
                      </Button>
                    )}
                  </SelectedActions>
                )
              : undefined
          }
          selectedText={isAll ? `${capitalise(describeTarget(kind, all))} selected` : undefined}
          allActions={
            mayEdit && isFiltered && <EditAllButton kind={kind} target={all} known={rows.rows} />
          }
          empty={
            <EmptyState title={`There is no ${kind.one} yet`}>
              {mayEdit
                ? `Create the first one with "New ${kind.one}", or import a file.`
                : 'People who may edit this sandbox can create the first one.'}
            </EmptyState>
          }
        />
      </div>
      {editsCells && (
        <Suspense>
          <CellEditing kind={kind} area={area} rows={rows.rows} isAll={isAll} />
        </Suspense>
      )}
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

const capitalise = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
