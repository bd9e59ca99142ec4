// @muster/record-diff: what differs between two versions of an Item or an Xp table, and how two edits go together.
// Pure functions on plain JSON, for browsers, Node.js, Bun and Deno.
export { diffRecords } from './diff-records.ts';
export type { ChangePath, FieldChange, FieldConflict } from './field-change.ts';
export { nameField } from './field-name.ts';
export { type MergeResult, mergeRecords } from './merge-records.ts';
export { resolveConflict } from './resolve-conflict.ts';
