// Who may sign in, and as what.
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
import { ROLE_WORDS } from '../../features/accounts/role-words.ts';
import { InvitationDetails } from './invitation-details.tsx';
import { InviteDialog } from './invite-dialog.tsx';
import { PERSON_COLUMNS } from './person-columns.tsx';
import { PersonDetails } from './person-details.tsx';
import type { PersonRow } from './person-row.ts';
import { filterRows, isLastOwner, listRows } from './person-row.ts';

const route = getRouteApi('/app/people');
const FILTERS = ['name', 'role', 'state'];
const ROLES = Object.entries(ROLE_WORDS).map(([value, { label }]) => ({ value, label }));
const STATES = [
  { value: 'active', label: 'Active' },
  { value: 'disabled', label: 'Disabled' },
  { value: 'invited', label: 'Invited' },
];
const rowId = (row: PersonRow) => row.id;

export const PeoplePage = () => {
  const { name, role, state, person } = route.useSearch();
  const change = useUrlChange();
  const [isInviting, setInviting] = useState(false);
  const mayManage = usePermission(['people:manage']);
  const query = useQuery({ ...trpc.people.list.queryOptions(), enabled: mayManage });
  const all = useMemo(() => (query.data ? listRows(query.data) : []), [query.data]);
  const { isFiltered, clear } = useFilters(FILTERS);
  const invite = () => setInviting(true);
  useCommand({ label: 'Invite somebody', keys: 'n', enabled: mayManage, run: invite });
  const chosen = all.find(({ id }) => id === person);
  const close = () => change({ person: undefined });
  if (!mayManage) return <NotPermitted />;
  return (
    <Page
      title="People"
      layout="fill"
      actions={
        <ActionButton anyOf={['people:manage']} onClick={invite}>
          Invite
        </ActionButton>
      }
    >
      <FilterBar names={FILTERS}>
        <TextFilter name="name" label="Name" placeholder="Name or e-mail" isMain />
        <ChoiceFilter name="role" label="Role" choices={ROLES} width={120} />
        <ChoiceFilter name="state" label="State" choices={STATES} width={120} />
      </FilterBar>
      <DataTable
        label="People"
        rows={toRows(query, () => filterRows(all, { name, role, state }), rowId)}
        columns={PERSON_COLUMNS}
        onOpen={({ id }) => change({ person: id }, { push: true })}
        isFiltered={isFiltered}
        onClearFilters={clear}
        empty={<EmptyState title="There is nobody yet" />}
      />
      {isInviting && <InviteDialog onClose={() => setInviting(false)} />}
      {chosen?.person && (
        <PersonDetails
          person={chosen.person}
          isLastOwner={isLastOwner(chosen, all)}
          onClose={close}
        />
      )}
      {chosen?.invitation && <InvitationDetails invitation={chosen.invitation} onClose={close} />}
    </Page>
  );
};

const NotPermitted = () => (
  <Page title="People">
    <EmptyState title="Your account may not see people">Owners decide who gets in.</EmptyState>
  </Page>
);
