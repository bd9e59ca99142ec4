// People, with their roles and invitations.

import { ROLE_NAMES } from '@muster/contract';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { z } from 'zod';
import { trpc } from '../../api/client.ts';
import { requirePermission } from '../../api/me.ts';
import { InvitationDetails, InviteDialog } from '../../features/accounts/invitations.tsx';
import { PersonDetails } from '../../features/accounts/person-details.tsx';
import type { PersonRow } from '../../features/accounts/person-rows.ts';
import { filterRows, isLastOwner, listRows } from '../../features/accounts/person-rows.ts';
import { SandboxNames } from '../../features/accounts/sandbox-scope.tsx';
import { ActionButton } from '../../ui/action-button.tsx';
import { useCommand } from '../../ui/commands.ts';
import { Tag } from '../../ui/facts.tsx';
import { ChoiceFilter, FilterBar, TextFilter } from '../../ui/filters.tsx';
import { Name } from '../../ui/names.tsx';
import { Page, PageRefused } from '../../ui/page.tsx';
import { ROLE_LABELS } from '../../ui/permission-labels.ts';
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

const PeopleSearch = z.object({
  ...tableSearchFields,
  /** Contained in the name or the e-mail address. */
  name: textParam,
  role: z.enum(ROLE_NAMES).optional().catch(undefined),
  state: z.enum(['active', 'disabled', 'invited']).optional().catch(undefined),
  /** The person or the invitation whose details are open. */
  person: wordParam,
});

export const Route = createFileRoute('/_app/people')({
  validateSearch: PeopleSearch,
  beforeLoad: ({ context }) => requirePermission(context.me, ['people:manage']),
  component: PeoplePage,
  notFoundComponent: () => (
    <PageRefused title="People" refusal="Your account may not see people">
      Owners manage people.
    </PageRefused>
  ),
});

const FILTERS = ['name', 'role', 'state'];
const ROLES = Object.entries(ROLE_LABELS).map(([value, { label }]) => ({ value, label }));
const STATES = [
  { value: 'active', label: 'Active' },
  { value: 'disabled', label: 'Disabled' },
  { value: 'invited', label: 'Invited' },
];
const rowId = (row: PersonRow) => row.id;

function PeoplePage() {
  const { name, role, state, person } = Route.useSearch();
  const change = useUrlChange();
  const [isInviting, setInviting] = useState(false);
  const query = useQuery(trpc.people.list.queryOptions());
  const all = useMemo(() => (query.data ? listRows(query.data) : []), [query.data]);
  const invite = () => setInviting(true);
  useCommand({ label: 'Invite a person', keys: 'n', run: invite });
  const chosen = all.find(({ id }) => id === person);
  const close = () => change({ person: undefined });
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
        label="people"
        singular="person"
        rows={toRows(filterRows(all, { name, role, state }), rowId, query)}
        columns={PERSON_COLUMNS}
        onOpen={({ id }) => change({ person: id }, { push: true })}
        filters={FILTERS}
        empty={<EmptyState title="No people yet" />}
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
}

const TONES = { active: 'good', disabled: 'bad', invited: 'info' } as const;

const PERSON_COLUMNS = defineColumns<PersonRow>({
  name: {
    header: 'Name',
    width: 170,
    grow: true,
    cell: ({ id, name, email }) => (
      <SearchLink changes={{ person: id }}>
        <Name name={name === '' ? email : name} id={id} />
      </SearchLink>
    ),
    sortValue: ({ name, email }) => name || email,
  },
  email: {
    header: 'E-mail',
    width: 220,
    isOnPhone: false,
    cell: ({ email }) => email,
    sortValue: ({ email }) => email,
  },
  role: {
    header: 'Role',
    width: 90,
    cell: ({ role }) => ROLE_LABELS[role].label,
    sortValue: ({ role }) => role,
  },
  sandboxes: {
    header: 'Sandboxes',
    width: 150,
    isOnPhone: false,
    cell: ({ sandboxIds }) => <SandboxNames ids={sandboxIds} />,
  },
  second_factor: {
    header: 'Second factor',
    width: 110,
    isOnPhone: false,
    cell: ({ person }) => (person?.two_factor_enabled ? 'on' : 'off'),
    sortValue: ({ person }) => (person?.two_factor_enabled ? 0 : 1),
  },
  signed_in: {
    header: 'Last signed in',
    width: 140,
    isOnPhone: false,
    cell: ({ person }) =>
      person?.last_signed_in ? <TimeText at={person.last_signed_in} /> : 'never',
    sortValue: ({ person }) => person?.last_signed_in ?? '',
  },
  state: {
    header: 'State',
    width: 90,
    cell: ({ state }) => <Tag tone={TONES[state]}>{state}</Tag>,
    sortValue: ({ state }) => state,
  },
});
