// What would be written, record by record, before anything is.
import { useState } from 'react';
import { DataTable } from '../../components/data-table/data-table.tsx';
import type { Rows } from '../../components/data-table/rows.ts';
import { toRows } from '../../components/data-table/to-rows.ts';
import { FormError } from '../../components/forms/form-error.tsx';
import { EmptyState } from '../../components/states/empty-state.tsx';
import { ChangesDrawer } from './changes-drawer.tsx';
import type { PlannedChange } from './planned-change.ts';
import { plannedColumns } from './planned-columns.tsx';

type PlannedListProps = {
  /** Names the table: "What the import will do". */
  label: string;
  rows: Rows<PlannedChange>;
  /** Shows which row of the file each comes from. */
  hasRows?: boolean;
};

const rowsOf = (changes: readonly PlannedChange[]) => changes;

/** One record can have two steps: brought back, then changed. */
export const identifyChange = ({ record_id, operation }: PlannedChange): string =>
  `${record_id} ${operation}`;

/** Of a plan that is there as a whole. */
export const toPlannedRows = (changes: readonly PlannedChange[]): Rows<PlannedChange> =>
  toRows(
    { data: changes, error: null, isPending: false, refetch: () => {} },
    rowsOf,
    identifyChange,
  );

export const PlannedList = ({ label, rows, hasRows = false }: PlannedListProps) => {
  const [open, setOpen] = useState<PlannedChange | null>(null);
  const [columns] = useState(() => plannedColumns({ hasRows, open: setOpen }));
  return (
    <>
      <DataTable
        label={label}
        rows={rows}
        columns={columns}
        onOpen={setOpen}
        height={fitHeight(rows.rows.length)}
        empty={<EmptyState title="Nothing would change" />}
      />
      {rows.rows.length > 0 && <FormError error={rows.error} fields={[]} />}
      <ChangesDrawer change={open} onClose={() => setOpen(null)} />
    </>
  );
};

/** As high as its rows, up to a limit: a short plan leaves no hole. */
const fitHeight = (rows: number): string => `min(${Math.max(4, rows) * 36 + 76}px, 26rem, 60vh)`;
