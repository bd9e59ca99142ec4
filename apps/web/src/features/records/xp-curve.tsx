// The level curve of an Xp table, beside its levels, which have the exact numbers.
import { Box } from '@mantine/core';
import type { ThresholdRow } from './draft.ts';
import classes from './record-form.module.css';

const WIDTH = 480;
const HEIGHT = 160;
/** Room for half of the line's width. */
const EDGE = 2;

type Point = { level: number; xp: number };

/** The rows that have both numbers, in the order of their levels. */
const readPoints = (rows: readonly ThresholdRow[]): Point[] =>
  rows
    .filter(({ level, xp }) => isInteger(level) && isInteger(xp))
    .map(({ level, xp }) => ({ level: Number(level), xp: Number(xp) }))
    .sort((a, b) => a.level - b.level);

const isInteger = (text: string): boolean => /^\s*\d+\s*$/.test(text);

export const XpCurve = ({ rows }: { rows: readonly ThresholdRow[] }) => {
  const points = readPoints(rows);
  const [first] = points;
  const last = points.at(-1);
  if (!first || !last || first.level === last.level) return null;
  const top = Math.max(...points.map(({ xp }) => xp), 1);
  const place = ({ level, xp }: Point): string => {
    const x = EDGE + ((level - first.level) / (last.level - first.level)) * (WIDTH - 2 * EDGE);
    const y = HEIGHT - EDGE - (xp / top) * (HEIGHT - 2 * EDGE);
    return `${x.toFixed(1)},${y.toFixed(1)}`;
  };
  const summary = `From level ${first.level} at ${format(first.xp)} xp to level ${last.level} at ${format(last.xp)} xp`;
  return (
    <figure className={classes.curve}>
      <Box component="h2" m={0} mb={4} fz="xs" fw={600}>
        Curve
      </Box>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Curve of ${points.length} levels. ${summary}`}
      >
        <polyline points={points.map(place).join(' ')} vectorEffect="non-scaling-stroke" />
      </svg>
      <p className="hint numbers">{summary}</p>
    </figure>
  );
};

const format = (number: number): string => number.toLocaleString('en');
