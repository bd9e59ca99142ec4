export type PaletteEntry = {
  id: string;
  label: string;
  /** Stands at the right: a kind, a key. */
  hint?: string;
  run: () => void;
};

export type PaletteGroup = { title: string; entries: readonly PaletteEntry[] };

/** Every word of the query is somewhere in the label. */
export const matches = (label: string, query: string): boolean => {
  const text = label.toLowerCase();
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
};
