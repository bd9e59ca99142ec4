// Reads the documented limits of docs/operations/sizes.md by route or procedure.
import { readFileSync } from 'node:fs';

const PAGE = readFileSync(new URL('../../../../docs/operations/sizes.md', import.meta.url), 'utf8');

export type DocumentedLimit = {
  /** The routes or procedures that the row is about: the code in its first cell. */
  names: string[];
  /** The cells behind it, by the heads of their columns. */
  cells: Record<string, string>;
};

/** The rows of the last section. */
export const readLimits = (): DocumentedLimit[] => {
  const section = PAGE.slice(PAGE.indexOf('## Every input and every response'));
  const tables = section.split('\n\n').filter((block) => block.startsWith('|'));
  return tables.flatMap((table) => {
    const [head = [], , ...rows] = table.trimEnd().split('\n').map(toCells);
    return rows.map(([subject = '', ...cells]) => ({
      names: [...subject.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
      cells: Object.fromEntries(head.slice(1).map((column, index) => [column, cells[index] ?? ''])),
    }));
  });
};

const toCells = (line: string): string[] =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());

const UNITS = { KB: 1_000, MB: 1_000_000, MiB: 1_048_576 };

/** The first size in a cell, in bytes; *small* is less than 64 KiB. Undefined where there is none. */
export const toBytes = (cell: string): number | undefined => {
  if (cell.startsWith('small')) return 65_536;
  const [, number, unit] = /^([\d.]+) (KB|MB|MiB)\b/.exec(cell) ?? [];
  return number === undefined ? undefined : Number(number) * UNITS[unit as keyof typeof UNITS];
};
