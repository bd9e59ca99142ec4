// Service accounts and their API keys.

import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { z } from 'zod';
import { api, trpc } from '../../api/client.ts';
import { requirePermission } from '../../api/me.ts';
import { SandboxNames } from '../../features/accounts/sandbox-scope.tsx';
import { KeyDetails, KeyStateTag } from '../../features/keys/key-details.tsx';
import { CreateAccountDialog, CreateKeyDialog } from '../../features/keys/key-dialogs.tsx';
import type { Account, KeyRow } from '../../features/keys/key-rows.ts';
import { filterRows, listRows } from '../../features/keys/key-rows.ts';
import { ActionButton } from '../../ui/action-button.tsx';
import { useCommand } from '../../ui/commands.ts';
import { Tag } from '../../ui/facts.tsx';
import { ChoiceFilter, FilterBar, TextFilter } from '../../ui/filters.tsx';
import { Name } from '../../ui/names.tsx';
import { Page, PageRefused } from '../../ui/page.tsx';
import { describePermission } from '../../ui/permission-labels.ts';
import { EmptyState } from '../../ui/states.tsx';
import { DataTable } from '../../ui/table/data-table.tsx';
import { toRows } from '../../ui/table/rows.ts';
import { defineColumns } from '../../ui/table/table-model.ts';
import { TimeText } from '../../ui/time.tsx';
import {
  SearchLink,
  tableSearchFields,
  textParam,
  useUrlChange,
  wordParam,
} from '../../ui/url-state.tsx';

const KeysSearch = z.object({
  ...tableSearchFields,
  /** Part of the name of the key or its service account, or the start of the key. */
  name: textParam,
  state: z.enum(['active', 'ended']).optional().catch(undefined),
  /** The id of the open key, or of the open service account without keys. */
  key: wordParam,
});

export const Route = createFileRoute('/_app/keys')({
  validateSearch: KeysSearch,
  beforeLoad: ({ context }) => requirePermission(context.me, ['key:manage']),
  component: KeysPage,
  notFoundComponent: () => (
    <PageRefused title="Keys" refusal="Your account may not see keys">
      Ask an admin or an owner for a role that allows it.
    </PageRefused>
  ),
});

const FILTERS = ['name', 'state'];
const STATES = [
  { value: 'active', label: 'Active' },
  { value: 'ended', label: 'Revoked or expired' },
];
const rowId = (row: KeyRow) => row.id;

/** The open dialog. A key is created for an account that is selected before or in the dialog. */
type Open = 'account' | { accountId?: string } | null;

/** Loads all pages, because the table filters and sorts its rows in the browser. */
const readAccounts = async ({ signal }: { signal: AbortSignal }): Promise<Account[]> => {
  const accounts: Account[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await api.keys.list.query({ cursor }, { signal });
    accounts.push(...page.service_accounts);
    cursor = page.page_meta.cursor;
    if (cursor === undefined) return accounts;
  }
};

function KeysPage() {
  const { name, state, key } = Route.useSearch();
  const change = useUrlChange();
  const [open, setOpen] = useState<Open>(null);
  const query = useQuery({ queryKey: trpc.keys.list.queryKey(), queryFn: readAccounts });
  const all = useMemo(() => (query.data ? listRows(query.data) : []), [query.data]);
  const hasAccounts = all.length > 0;
  const create = () => setOpen(hasAccounts ? {} : 'account');
  useCommand({ label: 'New key', keys: 'n', run: create });
  const chosen = all.find(({ id }) => id === key);
  const close = () => setOpen(null);
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
          placeholder="Account, key name or key prefix"
          isMain
          width={260}
        />
        <ChoiceFilter name="state" label="State" choices={STATES} width={170} />
      </FilterBar>
      <DataTable
        label="keys"
        rows={toRows(filterRows(all, { name, state }), rowId, query)}
        columns={KEY_COLUMNS}
        onOpen={({ id }) => change({ key: id }, { push: true })}
        filters={hasAccounts ? FILTERS : undefined}
        empty={
          <EmptyState title="No service accounts yet">
            A service account represents a program, such as your game backend. Create one, then give
            it a key with just the permissions that it needs.
          </EmptyState>
        }
      />
      {open === 'account' && (
        <CreateAccountDialog onClose={close} onDone={(accountId) => setOpen({ accountId })} />
      )}
      {open !== null && open !== 'account' && query.data && (
        <CreateKeyDialog accounts={query.data} accountId={open.accountId} onClose={close} />
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
}

const Dash = () => <span aria-hidden>–</span>;

const Moment = ({ at }: { at: string | undefined }) =>
  at === undefined ? <>never</> : <TimeText at={at} />;

const PermissionNames = ({ names }: { names: readonly string[] }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: the hint must be reachable by keyboard.
  <span data-hint={names.map(describePermission).join('; ')} tabIndex={0}>
    {names.join(', ')}
  </span>
);

const KEY_COLUMNS = defineColumns<KeyRow>({
  account: {
    header: 'Service account',
    width: 150,
    cell: ({ id, account }) => (
      <SearchLink changes={{ key: id }}>
        <Name name={account.name} id={account.account_id} />
      </SearchLink>
    ),
    sortValue: ({ account }) => account.name,
  },
  name: {
    header: 'Key',
    width: 125,
    grow: true,
    cell: ({ key }) => (key ? <Name name={key.name} id={key.key_id} /> : <Tag>no key yet</Tag>),
    sortValue: ({ key }) => key?.name ?? '',
  },
  prefix: {
    header: 'Begins with',
    width: 125,
    isOnPhone: false,
    cell: ({ key }) => (key ? <code className="mono">{key.prefix}…</code> : <Dash />),
  },
  permissions: {
    header: 'Permissions',
    width: 150,
    isOnPhone: false,
    cell: ({ key }) => (key ? <PermissionNames names={key.permissions} /> : <Dash />),
  },
  sandboxes: {
    header: 'Sandboxes',
    width: 140,
    isOnPhone: false,
    cell: ({ key }) => (key ? <SandboxNames ids={key.sandbox_ids} /> : <Dash />),
  },
  last_used: {
    header: 'Last used',
    width: 115,
    isOnPhone: false,
    cell: ({ key }) => (key ? <Moment at={key.last_used} /> : <Dash />),
    sortValue: ({ key }) => key?.last_used ?? '',
  },
  expires: {
    header: 'Expires',
    width: 115,
    isOnPhone: false,
    cell: ({ key }) => (key ? <Moment at={key.expires} /> : <Dash />),
    sortValue: ({ key }) => key?.expires ?? '9999',
  },
  state: {
    header: 'State',
    width: 91,
    cell: ({ key }) => (key ? <KeyStateTag value={key} /> : <Dash />),
  },
});
