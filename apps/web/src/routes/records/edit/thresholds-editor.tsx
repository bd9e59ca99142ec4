// Levels as a small spreadsheet: paste from one, Enter and arrows as in one, problems at their row.
import { Button, VisuallyHidden } from '@mantine/core';
import { nameField } from '@muster/record-diff';
import { IconPlus } from '@tabler/icons-react';
import type { ClipboardEvent, KeyboardEvent } from 'react';
import { useCallback, useEffect, useRef } from 'react';
import type { Problems } from '../draft/check-draft.ts';
import type { ThresholdRow } from '../draft/draft.ts';
import { EMPTY_THRESHOLD } from '../draft/draft.ts';
import { parseCells } from './parse-cells.ts';
import classes from './record-form.module.css';
import type { Column } from './threshold-row.tsx';
import { COLUMNS, ThresholdCells } from './threshold-row.tsx';

type ThresholdsEditorProps = {
  rows: readonly ThresholdRow[];
  problems: Problems;
  onChange: (rows: ThresholdRow[]) => void;
};

export const ThresholdsEditor = ({ rows, problems, onChange }: ThresholdsEditorProps) => {
  const grid = useRef<HTMLDivElement>(null);
  const latest = useRef({ rows, onChange });
  useEffect(() => {
    latest.current = { rows, onChange };
  });
  const type = useCallback((index: number, column: Column, text: string) => {
    const { rows: current, onChange: apply } = latest.current;
    apply(current.map((row, at) => (at === index ? { ...row, [column]: text } : row)));
  }, []);
  const remove = useCallback((index: number) => {
    const { rows: current, onChange: apply } = latest.current;
    apply(current.filter((_, at) => at !== index));
  }, []);
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
    <fieldset className={classes.group}>
      <legend className={classes.legend}>{nameField('xp_thresholds')}</legend>
      <p className={classes.hint}>
        The experience that each level begins at, rising in both columns. Cells of a spreadsheet can
        be pasted.
      </p>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: listens to what its cells hand up. */}
      <div className={classes.grid} ref={grid} onPaste={onPaste} onKeyDown={onKeyDown}>
        <table aria-label="Levels">
          <thead>
            <tr>
              <th scope="col">Level</th>
              <th scope="col">Xp</th>
              <th scope="col">More than before</th>
              <th scope="col" className={classes.removeColumn}>
                <VisuallyHidden>Remove</VisuallyHidden>
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row, index) => (
              <ThresholdCells
                // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place, as in a spreadsheet.
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
      {problems.xp_thresholds && <p className={classes.problem}>{problems.xp_thresholds}</p>}
      <Button
        mt={6}
        variant="default"
        leftSection={<IconPlus size={14} aria-hidden />}
        onClick={() => add()}
      >
        Add a level
      </Button>
    </fieldset>
  );
};

const STEPS: Readonly<Record<string, number>> = { Enter: 1, ArrowDown: 1, ArrowUp: -1 };

type Place = { index: number; column: Column };

const readPlace = (target: EventTarget): Place | null => {
  const { row, column } = (target as HTMLElement).dataset;
  return row === undefined ? null : { index: Number(row), column: column as Column };
};

const findCell = (grid: HTMLElement | null, index: number, column: Column) =>
  grid?.querySelector<HTMLInputElement>(`[data-row="${index}"][data-column="${column}"]`);

/** The level after the last one; its experience is for people to say. */
const nextRow = (rows: readonly ThresholdRow[]): ThresholdRow => {
  const last = Number.parseInt(rows.at(-1)?.level ?? '0', 10);
  return Number.isNaN(last) ? EMPTY_THRESHOLD : { level: String(last + 1), xp: '' };
};

/** Overwrites from the cell that was pasted into, downwards and to the right; new rows as needed. */
const pasteCells = (
  rows: readonly ThresholdRow[],
  { index, column }: Place,
  cells: readonly string[][],
): ThresholdRow[] => {
  const columns = COLUMNS.slice(COLUMNS.indexOf(column));
  const pasted = cells.map((values, offset) => {
    const named = columns.slice(0, values.length).map((name, at) => [name, values[at] ?? '']);
    return { ...(rows[index + offset] ?? EMPTY_THRESHOLD), ...Object.fromEntries(named) };
  });
  return [...rows.slice(0, index), ...pasted, ...rows.slice(index + pasted.length)];
};
