// @muster/record-diff: what differs between two versions of an Item or an Xp table, and how two edits go together.
// Pure functions on plain JSON, for browsers, Node.js, Bun and Deno.

export type { ChangePath, FieldChange, FieldConflict } from './diff-records.ts';
export { diffRecords, nameField } from './diff-records.ts';
export { type MergeResult, mergeRecords, resolveConflict } from './merge-records.ts';
