// Compares the fields of a schema with those of the one that it will replace. Pure.
import type { SchemaField } from '@muster/contract';
import { TYPE_LABELS } from './schema-rows.ts';

export type SchemaChanges = {
  added: string[];
  /** With one sentence for each part that differs. */
  changed: { key: string; parts: string[] }[];
  removed: string[];
  /** The fields that both have are in another order. */
  isReordered: boolean;
};

type Fields = readonly SchemaField[];

export const compareFields = (before: Fields, after: Fields): SchemaChanges => {
  const old = new Map(before.map((field) => [field.key, field]));
  const next = new Map(after.map((field) => [field.key, field]));
  const keptBefore = before.filter(({ key }) => next.has(key));
  const keptAfter = after.filter(({ key }) => old.has(key));
  return {
    added: after.flatMap(({ key }) => (old.has(key) ? [] : key)),
    changed: keptAfter.flatMap((field) => {
      const parts = compareParts(old.get(field.key) ?? field, field);
      return parts.length > 0 ? { key: field.key, parts } : [];
    }),
    removed: before.flatMap(({ key }) => (next.has(key) ? [] : key)),
    isReordered: keptAfter.some(({ key }, index) => keptBefore[index]?.key !== key),
  };
};

export const hasChanges = ({ added, changed, removed, isReordered }: SchemaChanges): boolean =>
  added.length + changed.length + removed.length > 0 || isReordered;

/** Of a field, in the order of the form. */
const PARTS: readonly { label: string; read: (field: SchemaField) => string }[] = [
  { label: 'label', read: ({ label = '' }) => label },
  { label: 'type', read: ({ type }) => TYPE_LABELS[type] },
  { label: 'default', read: (field) => field.default ?? '' },
  { label: 'values', read: ({ choices = [] }) => choices.join(', ') },
  { label: 'refers to', read: ({ references }) => TARGET_LABELS[references ?? 'none'] },
  { label: 'required', read: ({ required }) => (required ? 'yes' : 'no') },
];

const TARGET_LABELS = { item: 'Items', xp: 'Xp tables', none: '' };

const compareParts = (before: SchemaField, after: SchemaField): string[] =>
  PARTS.flatMap(({ label, read }) => {
    const [from, to] = [read(before), read(after)];
    return from === to ? [] : `${label} ${from || 'none'} → ${to || 'none'}`;
  });
