// Shows which field or custom data key receives each column of the file, and changes it.

import { Box, Select, Table } from '@mantine/core';
import { nameField } from '@muster/record-diff';
import type { FileColumn, ImportKind, MappedColumns } from './import-file.ts';
import { COLUMNS, CUSTOM_DATA, toMapping } from './import-file.ts';
import classes from './import-source.module.css';

type ImportColumnsProps = {
  kind: ImportKind;
  columns: readonly FileColumn[];
  onChange: (mapping: MappedColumns) => void;
};

/** Columns with the name of their field need no choice. */
export const ImportColumns = ({ kind, columns, onChange }: ImportColumnsProps) => {
  const shown = columns.filter(({ name, field }) => name !== '' && field !== name);
  if (shown.length === 0) return null;
  return (
    <section aria-labelledby="columns">
      <Box component="h3" id="columns" fz="sm" mb={4}>
        Columns
      </Box>
      <Box component="p" className="hint" mb="xs">
        These choices are kept for the next import into this sandbox.
      </Box>
      <Table className={classes.columns}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Column of the file</Table.Th>
            <Table.Th>Imported as</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {shown.map((column) => (
            <Table.Tr key={column.name}>
              <Table.Td className="mono anywhere">{column.name}</Table.Td>
              <Table.Td>
                <Select<string>
                  size="xs"
                  aria-label={`Import ${column.name} as`}
                  placeholder="Choose"
                  allowDeselect={false}
                  data={listChoices(kind, column)}
                  value={column.field === null ? LEFT_OUT : (column.field ?? null)}
                  onChange={(field) =>
                    onChange({
                      ...toMapping(columns),
                      [column.name]: field === LEFT_OUT ? null : field,
                    })
                  }
                />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  );
};

const LEFT_OUT = 'left_out';

const listChoices = (kind: ImportKind, { name, field }: FileColumn) => {
  const keys = new Set([CUSTOM_DATA + name]);
  if (field?.startsWith(CUSTOM_DATA)) keys.add(field);
  return [
    { value: LEFT_OUT, label: 'Not imported' },
    {
      group: 'Custom data',
      items: [...keys].map((key) => ({
        value: key,
        label: `Custom data: ${key.slice(CUSTOM_DATA.length)}`,
      })),
    },
    {
      group: 'Fields',
      items: COLUMNS[kind].map((value) => ({ value, label: nameField(value) })),
    },
  ];
};
