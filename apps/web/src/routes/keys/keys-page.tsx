// Service accounts and their keys: what programs use where people use a password.
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { ActionButton } from '../../access/action-button.tsx';
import { usePermission } from '../../access/me.ts';
import { trpc } from '../../api/trpc.ts';
import { useCommand } from '../../commands/use-command.ts';
import { DataTable } from '../../components/data-table/data-table.tsx';
import { toRows } from '../../components/data-table/to-rows.ts';
import { ChoiceFilter } from '../../components/filters/choice-filter.tsx';
import { FilterBar, useFilters } from '../../components/filters/filter-bar.tsx';
import { TextFilter } from '../../components/filters/text-filter.tsx';
import { Page } from '../../components/page/page.tsx';
import { EmptyState } from '../../components/states/empty-state.tsx';
import { useUrlChange } from '../../components/url/url-state.ts';
import { CreateAccountDialog } from './create-account-dialog.tsx';
import { CreateKeyDialog } from './create-key-dialog.tsx';
import { KEY_COLUMNS } from './key-columns.tsx';
import { KeyDetails } from './key-details.tsx';
import type { KeyRow } from './key-row.ts';
import { filterRows, listRows } from './key-row.ts';

const route = getRouteApi('/app/keys');
const FILTERS = ['name', 'state'];
const STATES = [
  { value: 'active', label: 'Active' },
  { value: 'ended', label: 'Revoked or expired' },
];
const rowId = (row: KeyRow) => row.id;

/** The dialog that is open; a key is made for an account, chosen before or in the dialog. */
type Open = 'account' | { accountId?: string } | null;

export const KeysPage = () => {
  const { name, state, key } = route.useSearch();
  const change = useUrlChange();
  const [open, setOpen] = useState<Open>(null);
  const mayManage = usePermission(['key:manage']);
  const query = useQuery({ ...trpc.keys.list.queryOptions(), enabled: mayManage });
  const all = useMemo(() => (query.data ? listRows(query.data) : []), [query.data]);
  const rowsOf = () => filterRows(all, { name, state });
  const { isFiltered, clear } = useFilters(FILTERS);
  const hasAccounts = all.length > 0;
  const create = () => setOpen(hasAccounts ? {} : 'account');
  useCommand({ label: 'New key', keys: 'n', enabled: mayManage, run: create });
  const chosen = all.find(({ id }) => id === key);
  const close = () => setOpen(null);
  if (!mayManage) return <NotPermitted />;
  return (
    <Page
      title="Keys"
      layout="fill"
      actions={
        <>
          <ActionButton
            anyOf={['key:manage']}
            variant={hasAccounts ? 'default' : 'filled'}
            onClick={() => setOpen('account')}
          >
            New service account
          </ActionButton>
          {hasAccounts && (
            <ActionButton anyOf={['key:manage']} onClick={() => setOpen({})}>
              New key
            </ActionButton>
          )}
        </>
      }
    >
      <FilterBar names={FILTERS}>
        <TextFilter
          name="name"
          label="Name"
          placeholder="Account, key, or how it begins"
          isMain
          width={260}
        />
        <ChoiceFilter name="state" label="State" choices={STATES} width={170} />
      </FilterBar>
      <DataTable
        label="Keys"
        rows={toRows(query, rowsOf, rowId)}
        columns={KEY_COLUMNS}
        onOpen={({ id }) => change({ key: id }, { push: true })}
        isFiltered={isFiltered && hasAccounts}
        onClearFilters={clear}
        empty={
          <EmptyState title="There is no service account yet">
            A service account stands for a program, such as your game backend. Make one, then give
            it a key with just the permissions that it needs.
          </EmptyState>
        }
      />
      {open === 'account' && (
        <CreateAccountDialog onClose={close} onDone={(accountId) => setOpen({ accountId })} />
      )}
      {open !== null && open !== 'account' && query.data && (
        <CreateKeyDialog
          accounts={query.data.service_accounts}
          accountId={open.accountId}
          onClose={close}
        />
      )}
      {chosen && (
        <KeyDetails
          row={chosen}
          onClose={() => change({ key: undefined })}
          onNewKey={() => setOpen({ accountId: chosen.account.account_id })}
        />
      )}
    </Page>
  );
};

const NotPermitted = () => (
  <Page title="Keys">
    <EmptyState title="Your account may not see keys">
      Ask an admin or an owner for a role that may.
    </EmptyState>
  </Page>
);
