// Custom data as rows that people type, and as the map that the service takes.
import type { CustomRow } from '../../components/custom-data/custom-data-editor.tsx';

/** Undefined when nothing is filled in; of equal keys the last one counts, as in JSON. */
export const toCustomData = (rows: readonly CustomRow[]): Record<string, string> | undefined => {
  const filled = rows.filter(({ key, value }) => key !== '' || value !== '');
  return filled.length > 0
    ? Object.fromEntries(filled.map(({ key, value }) => [key, value]))
    : undefined;
};

/** What the service says of a key stands at the rows that have it; all else above them. */
export const toCustomProblems = (
  rows: readonly CustomRow[],
  errors: Readonly<Record<string, unknown>>,
): Record<string, string> => {
  const placed = rows.map(({ key }, index) => [
    `custom_data.${index}.value`,
    errors[`custom_data.${key}`],
  ]);
  const found = [...placed, ['custom_data', errors.custom_data]];
  return Object.fromEntries(found.filter(([, problem]) => typeof problem === 'string'));
};
