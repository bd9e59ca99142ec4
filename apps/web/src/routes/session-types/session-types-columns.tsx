import { Link } from '@tanstack/react-router';
import { defineColumns } from '../../components/data-table/columns.ts';
import { describeTeams } from '../../features/sessions/describe-teams.ts';
import type { SessionType } from '../../features/sessions/use-session-types.ts';
import { describeLife, LIVES } from './lives.ts';
import { VERSION_RULES } from './version-rules.ts';

const TypeLink = ({ type }: SessionType) => (
  <Link to="/session-types" search={{ edit: type }}>
    {type}
  </Link>
);

export const TYPE_COLUMNS = defineColumns<SessionType>([
  {
    id: 'type',
    header: 'Type',
    width: 130,
    grow: true,
    cell: TypeLink,
    sortValue: (row) => row.type,
  },
  {
    id: 'version',
    header: 'Client version',
    width: 150,
    cell: ({ version_match }) => VERSION_RULES[version_match].label,
  },
  {
    id: 'teams',
    header: 'Default teams',
    width: 160,
    isOnPhone: false,
    cell: ({ default_teams }) => describeTeams(default_teams),
  },
  ...LIVES.map(({ name, label }) => ({
    id: name,
    header: label,
    width: 130,
    isOnPhone: false,
    cell: (row: SessionType) => describeLife(row[name]),
    sortValue: (row: SessionType) => row[name] ?? Number.MAX_SAFE_INTEGER,
  })),
]);
