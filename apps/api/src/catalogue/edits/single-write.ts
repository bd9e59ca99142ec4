// What a write of one call, of a record or in bulk, adds to its answer and to the audit trail.
import type { AuditEntry } from '../../platform/index.ts';
import type { ItemSchemas } from '../item-schemas/item-schema-rules.ts';
import { describeProblem, findSchemaProblems } from '../item-schemas/item-schema-rules.ts';
import { readSnapshot } from '../records/record.ts';
import type { CatalogueTransaction } from './catalogue-store.ts';
import type { NewVersion, OperationType, WriteContext, WritePlan } from './edit-rules.ts';

/** About a record that is written in spite of it. */
export type EditWarning = { field: string; msg: string };

export const findWarnings = async (
  transaction: Pick<CatalogueTransaction, 'references'>,
  { schemas }: Pick<WriteContext, 'schemas'>,
  plan: WritePlan,
): Promise<EditWarning[]> => {
  const missingTables = await findMissingTables(transaction, plan);
  return [
    ...missingTables.map((id) => ({
      field: 'level_xp_table_id',
      msg: `This sandbox has no Xp table with the id ${id}`,
    })),
    ...findUnfit(schemas, plan),
  ];
};

/** Values of restored Items that do not fit the schemas. */
const findUnfit = (schemas: ItemSchemas, { versions }: WritePlan): EditWarning[] =>
  versions
    .filter(({ kind, operation }) => kind === 'item' && operation === 'restore')
    .flatMap(({ state }) => findSchemaProblems(schemas, undefined, state.snapshot))
    .map((problem) => ({ field: 'custom_data', msg: describeProblem(problem) }));

/** The Xp tables that written Items name, and that do not exist or are deleted. */
const findMissingTables = async (
  { references }: Pick<CatalogueTransaction, 'references'>,
  { results }: WritePlan,
): Promise<string[]> => {
  const named = results.flatMap(({ snapshot }) => {
    const id = readSnapshot(snapshot).level_xp_table_id;
    return typeof id === 'string' ? [id] : [];
  });
  if (named.length === 0) return [];
  const tables = await references.findTables(named);
  const found = new Set(tables.flatMap(({ xpId, deleted }) => (deleted ? [] : [xpId])));
  return named.filter((id) => !found.has(id));
};

export const describeWrite = (
  procedure: OperationType | 'bulk',
  { kind, stored, transactionId }: WriteContext,
  versions: readonly NewVersion[],
): AuditEntry => {
  const action = `${kind.plural}.${procedure}`;
  const after = { transaction_id: transactionId };
  const recordIds = [...new Set(versions.map(({ state }) => state.recordId))];
  const [first] = versions;
  if (procedure === 'bulk' || !first) {
    return { action, target: { [`${kind.idField}s`]: recordIds }, after };
  }
  const { recordId, version, versionId } = first.state;
  const before = stored.find((state) => state.recordId === recordId);
  return {
    action,
    target: { [kind.idField]: recordId },
    ...(before && { before: { version: before.version, version_id: before.versionId } }),
    after: { ...after, version, version_id: versionId },
  };
};
