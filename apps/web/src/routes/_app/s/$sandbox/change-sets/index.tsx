// The change sets of a sandbox: changes of many records that are prepared, previewed and applied together.
import { createFileRoute, Link, useNavigate } from '@tanstack/react-router';
import { useSandboxId } from '../../../../../api/sandboxes.ts';
import { AccountName } from '../../../../../features/accounts/account-name.tsx';
import type { ChangeSet } from '../../../../../features/change-sets/change-set-queries.ts';
import {
  ChangeSetsSearch,
  changeSetsOptions,
  STATES,
} from '../../../../../features/change-sets/change-set-queries.ts';
import { STATE_LABELS, StateTag } from '../../../../../features/change-sets/change-set-tag.tsx';
import { Moments } from '../../../../../features/change-sets/schedule-view.tsx';
import { CopyableId } from '../../../../../ui/copyable.tsx';
import { ChoiceFilter, FilterBar } from '../../../../../ui/filters.tsx';
import { Page } from '../../../../../ui/page.tsx';
import { EmptyState } from '../../../../../ui/states.tsx';
import { DataTable } from '../../../../../ui/table/data-table.tsx';
import { prefetchRows, usePagedRows } from '../../../../../ui/table/paged-rows.ts';
import { defineColumns } from '../../../../../ui/table/table-model.ts';
import { TimeText } from '../../../../../ui/time.tsx';

export const Route = createFileRoute('/_app/s/$sandbox/change-sets/')({
  validateSearch: ChangeSetsSearch,
  loaderDeps: ({ search: { state } }) => ({ state }),
  loader: ({ params, deps }) => prefetchRows(changeSetsOptions(params.sandbox, deps)),
  component: ChangeSetsPage,
});

const FILTERS = ['state'];
const STATE_CHOICES = STATES.map((value) => ({
  value,
  label: STATE_LABELS[value][0],
}));

function ChangeSetsPage() {
  const sandbox = useSandboxId();
  const navigate = useNavigate();
  const rows = usePagedRows(changeSetsOptions(sandbox, Route.useSearch()));
  return (
    <Page title="Change sets" layout="fill">
      <FilterBar names={FILTERS}>
        <ChoiceFilter name="state" label="State" choices={STATE_CHOICES} width={150} />
      </FilterBar>
      <DataTable
        label="change sets"
        rows={rows}
        columns={COLUMNS}
        onOpen={({ change_set_id }) =>
          void navigate({
            to: '/s/$sandbox/change-sets/$id',
            params: { sandbox, id: change_set_id },
          })
        }
        filters={FILTERS}
        empty={
          <EmptyState title="No change sets yet">
            A change set is a plan of changes to many records, which are applied as one edit. To
            create one, preview a change of many records and keep it, or revert an edit in the
            history.
          </EmptyState>
        }
      />
    </Page>
  );
}

const COLUMNS = defineColumns<ChangeSet>({
  title: {
    header: 'Title',
    width: 120,
    grow: true,
    cell: ({ sandbox_id, change_set_id, title }) => (
      <Link to="/s/$sandbox/change-sets/$id" params={{ sandbox: sandbox_id, id: change_set_id }}>
        <bdi>{title}</bdi>
      </Link>
    ),
  },
  state: { header: 'State', width: 110, cell: ({ state }) => <StateTag state={state} /> },
  schedule: {
    header: 'Schedule',
    width: 110,
    grow: true,
    isOnPhone: false,
    cell: ({ schedule }) => schedule && <Moments {...schedule} />,
  },
  operations: {
    header: 'Records',
    width: 80,
    align: 'end',
    isOnPhone: false,
    cell: ({ operation_count }) => operation_count.toLocaleString('en'),
  },
  reason: {
    header: 'Reason',
    width: 100,
    grow: true,
    isOnPhone: false,
    cell: ({ reason }) => reason,
  },
  who: {
    header: 'Author',
    width: 90,
    isOnPhone: false,
    cell: ({ author_id }) => <AccountName id={author_id} />,
  },
  updated: { header: 'Updated', width: 130, cell: ({ updated }) => <TimeText at={updated} /> },
  id: {
    header: 'Id',
    isShown: false,
    cell: ({ change_set_id }) => <CopyableId id={change_set_id} label="change set id" short />,
  },
});
