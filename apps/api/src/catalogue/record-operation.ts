import type { RecordFields, RecordKind } from './record-kind.ts';

/** One wish of a caller, named by the procedure that carries it; ids and fields were checked by the schemas. */
export type RecordOperation = { recordId: string; reason: string | undefined } & (
  | { type: 'create'; fields: RecordFields }
  | { type: 'update'; fields: RecordFields; expectedVersion: number }
  | { type: 'delete'; expectedVersion: number }
  | { type: 'restore'; versionId: string | undefined; expectedVersion: number }
);

export type OperationType = RecordOperation['type'];

type OperationInput = {
  expected_version?: number;
  version_id?: string | undefined;
  reason?: string | undefined;
  [field: string]: unknown;
};

/** Reads the input of a procedure, or one element of a bulk. A create without an id gets a new one. */
export const toOperation = (
  kind: RecordKind,
  type: OperationType,
  input: object,
  newId: () => string,
): RecordOperation => {
  const {
    expected_version: expectedVersion = 0,
    version_id,
    reason,
    ...rest
  } = input as OperationInput;
  const recordId = (rest[kind.idField] as string | undefined) ?? newId();
  const fields = Object.fromEntries(
    kind.fields.filter((field) => rest[field] !== undefined).map((field) => [field, rest[field]]),
  );
  switch (type) {
    case 'create':
      return { type, recordId, reason, fields };
    case 'update':
      return { type, recordId, reason, fields, expectedVersion };
    case 'delete':
      return { type, recordId, reason, expectedVersion };
    case 'restore':
      return { type, recordId, reason, expectedVersion, versionId: version_id };
  }
};

/** The legacy id that an operation gives to its record, if any. */
export const givenLegacyId = (kind: RecordKind, operation: RecordOperation): number | undefined => {
  if (operation.type !== 'create' && operation.type !== 'update') return undefined;
  return (operation.fields[kind.legacyIdField] as number | null | undefined) ?? undefined;
};
