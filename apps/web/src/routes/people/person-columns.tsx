import { defineColumns } from '../../components/data-table/columns.ts';
import { Tag } from '../../components/tag/tag.tsx';
import { TimeText } from '../../components/time/time-text.tsx';
import { SearchLink } from '../../components/url/search-link.tsx';
import { ROLE_WORDS } from '../../features/accounts/role-words.ts';
import { SandboxNames } from '../../features/accounts/sandbox-names.tsx';
import type { PersonRow } from './person-row.ts';

const TONES = { active: 'good', disabled: 'bad', invited: 'info' } as const;

export const PERSON_COLUMNS = defineColumns<PersonRow>([
  {
    id: 'name',
    header: 'Name',
    width: 170,
    grow: true,
    cell: ({ id, name, email }) => (
      <SearchLink changes={{ person: id }}>{name === '' ? email : name}</SearchLink>
    ),
    sortValue: ({ name, email }) => name || email,
  },
  {
    id: 'email',
    header: 'E-mail',
    width: 220,
    isOnPhone: false,
    cell: ({ email }) => email,
    sortValue: ({ email }) => email,
  },
  {
    id: 'role',
    header: 'Role',
    width: 90,
    cell: ({ role }) => ROLE_WORDS[role].label,
    sortValue: ({ role }) => role,
  },
  {
    id: 'sandboxes',
    header: 'Sandboxes',
    width: 150,
    isOnPhone: false,
    cell: ({ sandboxIds }) => <SandboxNames ids={sandboxIds} />,
  },
  {
    id: 'second_factor',
    header: 'Second factor',
    width: 110,
    isOnPhone: false,
    cell: ({ person }) => (person?.two_factor_enabled ? 'on' : 'off'),
    sortValue: ({ person }) => (person?.two_factor_enabled ? 0 : 1),
  },
  {
    id: 'signed_in',
    header: 'Last signed in',
    width: 140,
    isOnPhone: false,
    cell: ({ person }) =>
      person?.last_signed_in ? <TimeText at={person.last_signed_in} /> : 'never',
    sortValue: ({ person }) => person?.last_signed_in ?? '',
  },
  {
    id: 'state',
    header: 'State',
    width: 90,
    cell: ({ state }) => <Tag tone={TONES[state]}>{state}</Tag>,
    sortValue: ({ state }) => state,
  },
]);
