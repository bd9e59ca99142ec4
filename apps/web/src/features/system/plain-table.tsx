import { Table } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './plain-table.module.css';

type PlainTableProps = {
  /** The name of the table for screen readers. */
  label: string;
  head: readonly { label: string; align?: 'end' }[];
  rows: readonly { id: string; cells: readonly ReactNode[] }[];
};

/** A short table without filters. Wide tables scroll, also by keyboard. */
export const PlainTable = ({ label, head, rows }: PlainTableProps) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolling content must be reachable by keyboard.
  <section className={classes.frame} aria-label={label} tabIndex={0}>
    <Table verticalSpacing={6} horizontalSpacing="sm" aria-label={label}>
      <Table.Thead>
        <Table.Tr>
          {head.map((column) => (
            <Table.Th key={column.label} ta={column.align} scope="col">
              {column.label}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody className="numbers">
        {rows.map(({ id, cells }) => (
          <Table.Tr key={id}>
            {cells.map((cell, at) => (
              <Table.Td key={head[at]?.label} ta={head[at]?.align}>
                {cell}
              </Table.Td>
            ))}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  </section>
);
