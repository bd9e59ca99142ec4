// Decides which field or custom data key receives each column of an imported file.
import { customIssue } from '@muster/contract';
import { z } from 'zod';
import type { Column, RecordKind } from '../records/record.ts';
import { kindOf, recordColumns } from '../records/record.ts';

/** By the name of a column: a field, a key such as `custom_data.price`, or null to ignore the column. */
export type MappedColumns = Readonly<Record<string, string | null>>;

/** `auto` uses the saved mapping of the sandbox, then similar field names, then custom data. */
export type ColumnMapping = 'auto' | MappedColumns;

export type ColumnTarget = { column: Column } | { key: string } | 'ignored';

export type FileColumn = {
  name: string;
  /** As in a mapping. Absent for a column that has no target. */
  field?: string | null;
};

export type FileColumns = {
  known: readonly Column[];
  /** Undefined for a name without a target. */
  find(name: string): ColumnTarget | undefined;
  /** The columns that were searched, in order of their first use. */
  list(): FileColumn[];
};

const CUSTOM_DATA = 'custom_data.';
/** As in the schema of custom data. */
const MAX_KEY_LENGTH = 128;
/** A file has hardly more columns, and a row may have any number of unknown fields. */
const MAX_COLUMNS = 128;

/** Names that spreadsheets of studios commonly use for a field. */
const ALIASES: Record<string, readonly string[]> = {
  item_id: ['uuid', 'muster_id'],
  xp_id: ['uuid', 'muster_id'],
  legacy_item_id: ['legacy_id', 'old_id', 'legacy'],
  legacy_xp_id: ['legacy_id', 'old_id', 'legacy'],
  name: ['title', 'display_name'],
  description: ['desc'],
  item_type: ['type', 'kind'],
  tags: ['tag', 'labels'],
  level_xp_table_id: ['xp_table', 'xp_table_id'],
  xp_thresholds: ['thresholds', 'levels'],
};

export const createFileColumns = (
  kind: RecordKind,
  mapping?: ColumnMapping,
  saved: MappedColumns = {},
): FileColumns => {
  const known = recordColumns(kind);
  const byName = new Map(known.map((column) => [column.name, column]));
  const found = new Map<string, ColumnTarget | undefined>();
  const toTarget = (field: string | null): ColumnTarget | undefined => {
    if (field === null) return 'ignored';
    if (isCustomKey(field)) return { key: field.slice(CUSTOM_DATA.length) };
    const column = byName.get(field);
    return column && { column };
  };
  const isAuto = mapping === 'auto';
  const mapped = isAuto ? saved : (mapping ?? {});
  const search = (name: string): ColumnTarget | undefined => {
    if (Object.hasOwn(mapped, name)) return toTarget(mapped[name] ?? null);
    const column = byName.get(name.toLowerCase());
    if (column) return { column };
    if (isCustomKey(name)) return toTarget(name);
    return isAuto ? toTarget(guess(name, known)) : undefined;
  };
  return {
    known,
    find(given) {
      const name = given.trim();
      if (found.has(name)) return found.get(name);
      const target = search(name);
      if (found.size < MAX_COLUMNS) found.set(name, target);
      return target;
    },
    list: () =>
      [...found].map(([name, target]) => {
        const shown = name.slice(0, MAX_KEY_LENGTH).toWellFormed().replaceAll(NUL, '');
        return target === undefined ? { name: shown } : { name: shown, field: nameTarget(target) };
      }),
  };
};

export const nameTarget = (target: ColumnTarget): string | null => {
  if (target === 'ignored') return null;
  return 'key' in target ? CUSTOM_DATA + target.key : target.column.name;
};

const NUL = '\0';

/** PostgreSQL stores no U+0000 and no half of a surrogate pair. */
const isStorable = (text: string): boolean => !text.includes(NUL) && text.isWellFormed();

const isCustomKey = (name: string): boolean => {
  const key = name.slice(CUSTOM_DATA.length);
  return (
    name.slice(0, CUSTOM_DATA.length).toLowerCase() === CUSTOM_DATA &&
    key.length > 0 &&
    key.length <= MAX_KEY_LENGTH &&
    key !== '__proto__' &&
    isStorable(key)
  );
};

const guess = (name: string, known: readonly Column[]): string => {
  const folded = name.toLowerCase().replace(/[\s-]+/g, '_');
  const similar = known.find(
    (column) => column.name === folded || ALIASES[column.name]?.includes(folded),
  );
  return similar?.name ?? CUSTOM_DATA + name;
};

/** A mapping as a client gives it. */
export const mappedColumns = (kind: RecordKind['kind']) =>
  z.record(z.string().max(MAX_KEY_LENGTH), z.string().nullable()).check(({ value, issues }) => {
    if (Object.keys(value).length > MAX_COLUMNS) {
      issues.push(customIssue(value, 'value_error.columns', `At most ${MAX_COLUMNS} columns`));
    }
    const fields = recordColumns(kindOf(kind)).map((column) => column.name);
    for (const [name, field] of Object.entries(value)) {
      if (field === null || fields.includes(field) || isCustomKey(field)) continue;
      const message = `Must be one of ${fields.join(', ')}, a key such as custom_data.price, or null`;
      issues.push(customIssue(field, 'value_error.column', message, [name]));
    }
  });
