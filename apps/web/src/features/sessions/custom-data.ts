// Custom data as rows that people type, and as the map that the service takes.

export type CustomRow = { key: string; value: string };

/** Undefined when nothing is filled in; of equal keys the last one counts, as in JSON. */
export const toCustomData = (rows: readonly CustomRow[]): Record<string, string> | undefined => {
  const filled = rows.filter(({ key, value }) => key !== '' || value !== '');
  return filled.length > 0
    ? Object.fromEntries(filled.map(({ key, value }) => [key, value]))
    : undefined;
};
