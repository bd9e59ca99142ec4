// Edits cells of a list in place. Listens to the cells of the table, so that a list that is only read does not load it.
import type { SchemaField } from '@muster/contract';
import type { ComponentProps, RefObject } from 'react';
import { useEffect, useRef, useState } from 'react';
import { useCommand } from '../../ui/commands.ts';
import { readList, useUrlValues } from '../../ui/url-state.tsx';
import type { Schemas } from '../schemas/schema-queries.ts';
import { fieldsOf, useItemSchemas } from '../schemas/schema-queries.ts';
import { CellEditor, focusInput } from './cell-editor.tsx';
import type { CellField, CellValue } from './cell-fields.ts';
import { readCellField } from './cell-fields.ts';
import { PasteDialog } from './paste-dialog.tsx';
import { readPastedColumn, readPastedValue } from './paste-rules.ts';
import type { RecordKind, StoredRecord } from './record-kind.ts';

type CellEditingProps = {
  kind: RecordKind;
  /** The element that contains the table. */
  area: RefObject<HTMLElement | null>;
  /** The loaded rows in the order of the table. */
  rows: readonly StoredRecord[];
  /** All matching records are selected, loaded or not. */
  isAll: boolean;
};

type EditedCell = {
  record: StoredRecord;
  field: CellField;
  cell: HTMLElement;
  pasted?: CellValue | undefined;
};

type PastedLines = Omit<ComponentProps<typeof PasteDialog>, 'kind' | 'onClose'> & {
  cell: HTMLElement | undefined;
};

export const CellEditing = ({ kind, area, rows, isAll }: CellEditingProps) => {
  const [edited, setEdited] = useState<EditedCell | null>(null);
  const [pasted, setPasted] = useState<PastedLines | null>(null);
  const form = useRef<HTMLFormElement>(null);
  const schemas = useItemSchemas(kind.kind);
  const selected = readList(useUrlValues().sel);
  const isEditable = (cell: HTMLElement) => readCellField(kind, columnOf(cell)) !== null;
  /** A change that is not saved keeps its editor, which gets the focus. */
  const isUnsaved = () => {
    const isKept = form.current?.matches('[data-unsaved]') === true;
    if (isKept) focusInput(form.current);
    return isKept;
  };
  const begin = (cell: HTMLElement, text?: string) => {
    const field = readCellField(kind, columnOf(cell));
    const record = rows[rowOf(cell)];
    if (!field || !record || record.deleted || isUnsaved()) return;
    const value = text === undefined ? undefined : readPastedValue(field, text);
    setEdited({ record, field, cell, pasted: value });
  };
  const beginAtFocus = () => {
    const cell = findFocusedCell(area.current, isEditable);
    if (cell) begin(cell);
  };
  /** Into the selected rows, or downwards from the focused cell. */
  const paste = (text: string, target: EventTarget | null) => {
    if (isUnsaved()) return;
    const column = readPastedColumn(text);
    const found = findCell(target);
    const cell = found && isEditable(found) ? found : undefined;
    const isSelection = selected.length > 0;
    if (!isSelection && cell && column.values.length === 1) return begin(cell, column.values[0]);
    const first = cell ? rowOf(cell) : rows.length;
    const records = isSelection
      ? rows.filter((record) => selected.includes(kind.idOf(record)))
      : rows.slice(first, first + column.values.length);
    const hasUnloaded = isSelection && (isAll || records.length < selected.length);
    if (records.length === 0 && !hasUnloaded) return;
    const row = area.current?.querySelector('tr[data-index]');
    const columnIds = row ? listCells(row, isEditable).map(columnOf) : [];
    const columnId = cell && columnOf(cell);
    setEdited(null);
    setPasted({ pasted: column, records, isSelection, hasUnloaded, columnIds, columnId, cell });
  };
  useCommand({ label: 'Edit a cell of the row', keys: 'F2', run: beginAtFocus });
  useEffect(() => {
    // The style sheet marks the cells once they can be edited.
    area.current?.setAttribute('data-edits-cells', 'true');
  }, [area]);
  useEffect(() => {
    const element = area.current;
    if (!element) return;
    const onClick = (event: MouseEvent) => {
      const cell = findCell(event.target);
      if (!cell || !isEditable(cell) || isControl(event.target)) return;
      // The row opens on a click elsewhere.
      event.stopPropagation();
      focusCell(cell);
    };
    const onDoubleClick = (event: MouseEvent) => {
      const cell = findCell(event.target);
      if (cell && !isControl(event.target)) begin(cell);
    };
    const onKeyDown = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement;
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (target.matches('tr[data-index]') && event.key === 'ArrowRight') {
        focusCell(listCells(target, isEditable)[0]);
      } else if (target.matches('td[data-column]')) {
        if (event.key === 'Enter') begin(target);
        else if (!moveFocus(target, event.key, isEditable)) return;
      } else return;
      event.preventDefault();
      event.stopPropagation();
    };
    element.addEventListener('click', onClick, { capture: true });
    element.addEventListener('dblclick', onDoubleClick);
    const onPaste = (event: ClipboardEvent) => {
      const text = event.clipboardData?.getData('text/plain') ?? '';
      if (text.trim() !== '') paste(text, event.target);
    };
    element.addEventListener('keydown', onKeyDown);
    element.addEventListener('paste', onPaste);
    return () => {
      element.removeEventListener('click', onClick, { capture: true });
      element.removeEventListener('dblclick', onDoubleClick);
      element.removeEventListener('keydown', onKeyDown);
      element.removeEventListener('paste', onPaste);
    };
  });
  if (pasted) {
    const { cell, ...content } = pasted;
    const close = () => {
      setPasted(null);
      focusCell(cell);
    };
    return <PasteDialog kind={kind} {...content} onClose={close} />;
  }
  // Another kind of input in place of the first one would lose the focus.
  if (!edited || schemas.isLoading) return null;
  const close = () => {
    setEdited(null);
    focusCell(edited.cell);
  };
  return (
    <CellEditor
      key={`${kind.idOf(edited.record)} ${edited.field.name} ${edited.field.key}`}
      kind={kind}
      {...edited}
      schemaField={findSchemaField(schemas.data, edited)}
      form={form}
      onClose={close}
    />
  );
};

const findSchemaField = (
  schemas: Schemas | undefined,
  { record, field }: EditedCell,
): SchemaField | undefined =>
  field.name === 'custom_data' && 'item_type' in record
    ? fieldsOf(schemas, record.item_type).find(({ key }) => key === field.key)
    : undefined;

const columnOf = (cell: HTMLElement): string => cell.dataset.column ?? '';

const rowOf = (cell: HTMLElement): number =>
  Number(cell.closest<HTMLElement>('tr[data-index]')?.dataset.index);

const findCell = (target: EventTarget | null): HTMLElement | null =>
  (target as Element).closest<HTMLElement>('td[data-column]');

const isControl = (target: EventTarget | null): boolean =>
  (target as Element).closest('a, button, input, label') !== null;

const listCells = (row: Element, isEditable: (cell: HTMLElement) => boolean): HTMLElement[] =>
  [...row.querySelectorAll<HTMLElement>('td[data-column]')].filter(isEditable);

const focusCell = (cell: HTMLElement | undefined): void => {
  if (!cell?.isConnected) return;
  cell.tabIndex = -1;
  cell.focus({ preventScroll: true });
  cell.scrollIntoView({ block: 'nearest', inline: 'nearest' });
};

/** The focused cell, or the first editable one of the focused row. */
const findFocusedCell = (area: HTMLElement | null, isEditable: (cell: HTMLElement) => boolean) => {
  const focused = document.activeElement;
  if (!focused || !area?.contains(focused)) return;
  const row = focused.closest('tr[data-index]');
  const cells = row ? listCells(row, isEditable) : [];
  return cells.find((cell) => cell === focused) ?? cells[0];
};

const COLUMN_STEPS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1 };
const ROW_STEPS: Readonly<Record<string, 'previousElementSibling' | 'nextElementSibling'>> = {
  ArrowUp: 'previousElementSibling',
  ArrowDown: 'nextElementSibling',
};

/** Moves to another editable cell; Escape moves to the row. False for other keys. */
const moveFocus = (
  cell: HTMLElement,
  key: string,
  isEditable: (cell: HTMLElement) => boolean,
): boolean => {
  const row = cell.closest<HTMLElement>('tr[data-index]');
  if (!row) return false;
  if (key === 'Escape') {
    row.focus();
    return true;
  }
  const columns = COLUMN_STEPS[key];
  const rows = ROW_STEPS[key];
  if (columns !== undefined) {
    const cells = listCells(row, isEditable);
    focusCell(cells[cells.indexOf(cell) + columns]);
    return true;
  }
  if (rows === undefined) return false;
  const same = `td[data-column="${CSS.escape(columnOf(cell))}"]`;
  focusCell(row[rows]?.querySelector<HTMLElement>(same) ?? undefined);
  return true;
};
