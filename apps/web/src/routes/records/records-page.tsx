// All Items, or all Xp tables, of a sandbox.
import { Checkbox } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { ActionButton } from '../../access/action-button.tsx';
import { usePermission } from '../../access/me.ts';
import { useCommand } from '../../commands/use-command.ts';
import { DataTable } from '../../components/data-table/data-table.tsx';
import { usePagedRows } from '../../components/data-table/use-paged-rows.ts';
import { FilterBar, useFilters } from '../../components/filters/filter-bar.tsx';
import { TextFilter } from '../../components/filters/text-filter.tsx';
import { Page } from '../../components/page/page.tsx';
import { EmptyState } from '../../components/states/empty-state.tsx';
import { useUrlChange, useUrlValues } from '../../components/url/url-state.ts';
import type { RecordKind } from '../../features/records/record-kind.ts';
import { ITEM, readId, XP } from '../../features/records/record-kind.ts';
import { useRecordPlace } from '../../features/records/record-queries.ts';
import { RECORD_COLUMNS } from './list/record-columns.tsx';
import { recordListOptions } from './list/record-list.ts';
import { SelectedActions } from './list/selected-actions.tsx';
import classes from './records-page.module.css';

export const ItemsPage = () => <RecordsPage kind={ITEM} />;
export const XpPage = () => <RecordsPage kind={XP} />;

const FILTERS = ['name', 'deleted'];

const RecordsPage = ({ kind }: { kind: RecordKind }) => {
  const { sandbox } = useRecordPlace();
  const navigate = useNavigate();
  const rows = usePagedRows(recordListOptions(kind, sandbox, useUrlValues()));
  const { isFiltered, clear } = useFilters(FILTERS);
  const mayEdit = usePermission(['sandbox:config:edit'], sandbox);
  const create = () => void navigate({ to: kind.paths.create, params: { sandbox } });
  useCommand({ label: `New ${kind.one}`, keys: 'n', enabled: mayEdit, run: create });
  return (
    <Page
      title={kind.many}
      layout="fill"
      actions={
        <ActionButton anyOf={['sandbox:config:edit']} sandbox={sandbox} onClick={create}>
          New {kind.one}
        </ActionButton>
      }
    >
      <FilterBar names={FILTERS}>
        <TextFilter name="name" label="Name" isMain />
        <DeletedFilter />
      </FilterBar>
      <DataTable
        label={kind.many}
        rows={rows}
        columns={RECORD_COLUMNS[kind.kind]}
        onOpen={(record) =>
          void navigate({ to: kind.paths.record, params: { sandbox, id: readId(kind, record) } })
        }
        isFiltered={isFiltered}
        onClearFilters={clear}
        selectedActions={
          mayEdit
            ? (ids, clearSelection) => (
                <SelectedActions
                  kind={kind}
                  sandbox={sandbox}
                  ids={ids}
                  known={rows.rows}
                  onDone={clearSelection}
                />
              )
            : undefined
        }
        empty={
          <EmptyState title={`There is no ${kind.one} yet`}>
            {mayEdit
              ? `Make the first one with "New ${kind.one}", or bring a file to Import.`
              : 'Whoever may edit this sandbox can make the first one.'}
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
      className={classes.deleted}
      label="Deleted ones too"
      checked={deleted === true}
      onChange={(event) =>
        change({ deleted: event.currentTarget.checked || undefined, sel: undefined })
      }
    />
  );
};
