import type { ReactNode } from 'react';

export type Column<Row> = {
  /** Stands in the address; stays the same for ever. */
  id: string;
  header: string;
  cell: (row: Row) => ReactNode;
  /** Least width in pixels (120). */
  width?: number;
  /** Takes the room that is left. */
  grow?: boolean;
  /** `end` for numbers. */
  align?: 'start' | 'end';
  /** False: shown only when it is chosen. */
  isShown?: boolean;
  /** False: left out on a phone, unless it is chosen. */
  isOnPhone?: boolean;
  /** The service sorts: the page reads `sort` from the address and asks for it. */
  sortedByService?: boolean;
  /** The table sorts, once every row is loaded. */
  sortValue?: (row: Row) => string | number;
};

/** Keeps the row's type in the cells. Call it outside of components: the columns must stay the same object. */
export const defineColumns = <Row>(columns: readonly Column<Row>[]): readonly Column<Row>[] =>
  columns;
