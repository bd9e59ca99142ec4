import { Text } from '@mantine/core';
import type { ApiOutputs } from '../../api/trpc.ts';
import { formatBytes, formatCount } from './format-numbers.ts';
import { PlainTable } from './plain-table.tsx';

type Database = ApiOutputs['system']['get']['database'];

const HEAD = [
  { label: 'Table' },
  { label: 'Size with indexes', align: 'end' },
  { label: 'Rows, estimated', align: 'end' },
] as const;

export const DatabaseSection = ({ database }: { database: Database }) => (
  <>
    <Text size="sm">
      PostgreSQL {database.version} holds{' '}
      <strong className="numbers">{formatBytes(database.size_bytes)}</strong> and has{' '}
      {formatCount(database.connections)} connections.
    </Text>
    <PlainTable
      label="Tables of the database"
      head={HEAD}
      rows={database.tables.map(({ name, bytes, rows_estimate }) => ({
        id: name,
        cells: [
          <code key="name" className="mono">
            {name}
          </code>,
          formatBytes(bytes),
          rows_estimate === undefined ? '–' : formatCount(rows_estimate),
        ],
      }))}
    />
  </>
);
