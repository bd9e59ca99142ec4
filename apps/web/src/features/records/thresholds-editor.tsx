// Edits levels like a spreadsheet: paste cells, move with Enter and arrow keys, see problems in their row.

import { ActionIcon, VisuallyHidden } from '@mantine/core';
import { useCallbackRef } from '@mantine/hooks';
import type { ClipboardEvent, KeyboardEvent } from 'react';
import { memo, useId, useRef } from 'react';
import { Icon } from '../../ui/icons.tsx';
import { RowList } from '../../ui/row-list.tsx';
import type { Problems, ThresholdRow } from './draft.ts';
import classes from './record-form.module.css';
import type { Column, Place } from './threshold-rows.ts';
import { COLUMNS, nextRow, parseCells, pasteCells } from './threshold-rows.ts';

type ThresholdsEditorProps = {
  rows: readonly ThresholdRow[];
  problems: Problems;
  onChange: (rows: ThresholdRow[]) => void;
};

export const ThresholdsEditor = ({ rows, problems, onChange }: ThresholdsEditorProps) => {
  const grid = useRef<HTMLDivElement>(null);
  const type = useCallbackRef((index: number, column: Column, text: string) =>
    onChange(rows.map((row, at) => (at === index ? { ...row, [column]: text } : row))),
  );
  const remove = useCallbackRef((index: number) => onChange(rows.filter((_, at) => at !== index)));
  const focus = (index: number, column: Column) =>
    requestAnimationFrame(() => findCell(grid.current, index, column)?.select());
  const add = (column: Column = 'level') => {
    onChange([...rows, nextRow(rows)]);
    focus(rows.length, column);
  };
  const onPaste = (event: ClipboardEvent) => {
    const place = readPlace(event.target);
    const cells = place && parseCells(event.clipboardData.getData('text/plain'));
    if (!place || !cells) return;
    event.preventDefault();
    onChange(pasteCells(rows, place, cells));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const place = readPlace(event.target);
    const step = STEPS[event.key];
    if (!place || step === undefined || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const next = place.index + step;
    if (next === rows.length && event.key === 'Enter') add(place.column);
    else if (rows[next]) focus(next, place.column);
  };
  return (
    <RowList
      field="xp_thresholds"
      hint="The experience that each level begins at, rising in both columns. Cells of a spreadsheet can be pasted."
      problem={problems.xp_thresholds}
      action="Add a level"
      onAdd={() => add()}
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: listens to what its cells hand up. */}
      <div className={classes.grid} ref={grid} onPaste={onPaste} onKeyDown={onKeyDown}>
        <table aria-label="Levels">
          <thead>
            <tr>
              <th scope="col">Level</th>
              <th scope="col">Xp</th>
              <th scope="col">Step</th>
              <th scope="col" style={{ width: 44 }}>
                <VisuallyHidden>Remove</VisuallyHidden>
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row, index) => (
              <ThresholdCells
                // biome-ignore lint/suspicious/noArrayIndexKey: a row is its position, as in a spreadsheet.
                key={index}
                row={row}
                before={rows[index - 1]?.xp}
                index={index}
                levelProblem={problems[`xp_thresholds.${index}.level`]}
                xpProblem={problems[`xp_thresholds.${index}.xp`]}
                onType={type}
                onRemove={remove}
              />
            ))}
          </tbody>
        </table>
      </div>
    </RowList>
  );
};

const STEPS: Readonly<Record<string, number>> = { Enter: 1, ArrowDown: 1, ArrowUp: -1 };

const readPlace = (target: EventTarget): Place | null => {
  const { row, column } = (target as HTMLElement).dataset;
  return row === undefined ? null : { index: Number(row), column: column as Column };
};

const findCell = (grid: HTMLElement | null, index: number, column: Column) =>
  grid?.querySelector<HTMLInputElement>(`[data-row="${index}"][data-column="${column}"]`);

const LABELS: Record<Column, string> = { level: 'Level', xp: 'Xp' };

type ThresholdCellsProps = {
  row: ThresholdRow;
  /** The experience of the previous row. */
  before: string | undefined;
  index: number;
  levelProblem: string | undefined;
  xpProblem: string | undefined;
  onType: (index: number, column: Column, text: string) => void;
  onRemove: (index: number) => void;
};

/** Plain inputs, rendered only when they change, because a table may have a thousand rows. */
const ThresholdCells = memo((props: ThresholdCellsProps) => {
  const { row, before, index, levelProblem, xpProblem, onType, onRemove } = props;
  const problemId = useId();
  const problems = { level: levelProblem, xp: xpProblem };
  const shown = COLUMNS.filter((column) => problems[column]);
  return (
    <>
      <tr>
        {COLUMNS.map((column) => (
          <td key={column}>
            <input
              className={classes.cell}
              data-row={index}
              data-column={column}
              inputMode="numeric"
              autoComplete="off"
              aria-label={`${LABELS[column]}, row ${index + 1}`}
              aria-invalid={problems[column] !== undefined}
              aria-describedby={problems[column] && problemId}
              value={row[column]}
              onChange={(event) => onType(index, column, event.currentTarget.value)}
            />
          </td>
        ))}
        <td className={classes.step}>{describeStep(before, row.xp)}</td>
        <td>
          <ActionIcon aria-label={`Remove row ${index + 1}`} onClick={() => onRemove(index)}>
            <Icon name="x" size={15} />
          </ActionIcon>
        </td>
      </tr>
      {shown.length > 0 && (
        <tr>
          <td colSpan={4} className={classes.rowProblem} id={problemId}>
            {shown.map((column) => `${LABELS[column]}: ${problems[column]}`).join(' ')}
          </td>
        </tr>
      )}
    </>
  );
});

const describeStep = (before: string | undefined, xp: string): string => {
  const step = Number(xp) - Number(before);
  if (before === undefined || before === '' || xp === '' || Number.isNaN(step)) return '';
  return step > 0 ? `+${step.toLocaleString('en')}` : step.toLocaleString('en');
};
