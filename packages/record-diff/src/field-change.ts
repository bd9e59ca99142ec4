import { nameField } from './field-name.ts';

/** A field, or one element of it by its identity: a tag, a level, a key of custom_data; never a position. */
export type ChangePath = (string | number)[];

export type FieldChange = {
  path: ChangePath;
  /** The path in words. */
  label: string;
  change: 'added' | 'removed' | 'changed';
  /** Absent when added. Of a level it is the experience that it begins at. */
  before?: unknown;
  /** Absent when removed. */
  after?: unknown;
};

/** Two edits that gave one place two values; a side is absent where it has no value there. */
export type FieldConflict = {
  path: ChangePath;
  label: string;
  base?: unknown;
  theirs?: unknown;
  mine?: unknown;
};

/** What a side says of a place: `undefined` says that nothing is there. */
export const toChange = (path: ChangePath, before: unknown, after: unknown): FieldChange => ({
  path,
  label: describePath(path),
  change: before === undefined ? 'added' : after === undefined ? 'removed' : 'changed',
  ...(before !== undefined && { before }),
  ...(after !== undefined && { after }),
});

export const toConflict = (
  path: ChangePath,
  { base, theirs, mine }: { base: unknown; theirs: unknown; mine: unknown },
): FieldConflict => ({
  path,
  label: describePath(path),
  ...(base !== undefined && { base }),
  ...(theirs !== undefined && { theirs }),
  ...(mine !== undefined && { mine }),
});

const describePath = ([field, element]: ChangePath): string => {
  const name = nameField(String(field));
  if (element === undefined) return name;
  return `${name}: ${typeof element === 'number' ? 'level ' : ''}${element}`;
};
