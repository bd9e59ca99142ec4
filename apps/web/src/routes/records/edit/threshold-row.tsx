import { ActionIcon } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { memo, useId } from 'react';
import type { ThresholdRow } from '../draft/draft.ts';
import classes from './record-form.module.css';

export const COLUMNS = ['level', 'xp'] as const;
export type Column = (typeof COLUMNS)[number];

const WORDS: Record<Column, string> = { level: 'Level', xp: 'Xp' };

type ThresholdCellsProps = {
  row: ThresholdRow;
  /** The experience of the row above. */
  before: string | undefined;
  index: number;
  levelProblem: string | undefined;
  xpProblem: string | undefined;
  onType: (index: number, column: Column, text: string) => void;
  onRemove: (index: number) => void;
};

/** Plain fields, and drawn only when they change: a table may have a thousand of them. */
export const ThresholdCells = memo((props: ThresholdCellsProps) => {
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
              aria-label={`${WORDS[column]}, row ${index + 1}`}
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
            <IconX size={15} aria-hidden />
          </ActionIcon>
        </td>
      </tr>
      {shown.length > 0 && (
        <tr>
          <td colSpan={4} className={classes.rowProblem} id={problemId}>
            {shown.map((column) => `${WORDS[column]}: ${problems[column]}`).join(' ')}
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
