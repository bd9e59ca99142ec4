// The rows of the table: people, and open invitations.
import type { Role } from '@muster/contract';
import type { ApiOutputs } from '../../api/client.ts';

type Answer = ApiOutputs['people']['list'];
export type Person = Answer['people'][number];
export type Invitation = Answer['invitations'][number];
type PersonState = 'active' | 'disabled' | 'invited';

export type PersonRow = {
  id: string;
  name: string;
  email: string;
  role: Role;
  sandboxIds: readonly string[] | undefined;
  state: PersonState;
  person?: Person;
  invitation?: Invitation;
};

export const listRows = ({ people, invitations }: Answer): PersonRow[] => [
  ...people.map(
    (person): PersonRow => ({
      id: person.account_id,
      name: person.name,
      email: person.email,
      role: person.role,
      sandboxIds: person.sandbox_ids,
      state: person.disabled ? 'disabled' : 'active',
      person,
    }),
  ),
  ...invitations.map(
    (invitation): PersonRow => ({
      id: invitation.invitation_id,
      name: '',
      email: invitation.email,
      role: invitation.role,
      sandboxIds: invitation.sandbox_ids,
      state: 'invited',
      invitation,
    }),
  ),
];

export type PersonFilter = {
  name?: string | undefined;
  role?: Role | undefined;
  state?: PersonState | undefined;
};

export const filterRows = (
  rows: readonly PersonRow[],
  { name = '', role, state }: PersonFilter,
): PersonRow[] => {
  const wanted = name.toLowerCase();
  return rows.filter(
    (row) =>
      (role === undefined || row.role === role) &&
      (state === undefined || row.state === state) &&
      [row.name, row.email].some((text) => text.toLowerCase().includes(wanted)),
  );
};

/** Whether this is the only owner who can sign in, and so cannot be removed. */
export const isLastOwner = (row: PersonRow, rows: readonly PersonRow[]): boolean => {
  const owners = rows.filter(({ role, state }) => role === 'owner' && state === 'active');
  return owners.length === 1 && owners[0]?.id === row.id;
};
