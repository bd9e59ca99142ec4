// What a write of one call, of a record or in bulk, adds to its answer and to the audit trail.
import type { AuditEntry } from '../platform/index.ts';
import type { CatalogueTransaction } from './catalogue-store.ts';
import type { NewVersion, OperationType, WriteContext, WritePlan } from './edit-rules.ts';
import { readSnapshot } from './record.ts';

/** The Xp tables that written Items name, and that do not exist or are deleted. */
export const findMissingTables = async (
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
