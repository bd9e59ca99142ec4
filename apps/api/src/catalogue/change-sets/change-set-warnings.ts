// The warnings of a preview about Xp tables: missing ones that Items would use, and deleted ones that Items still use.
import type { CatalogueReads } from '../edits/catalogue-store.ts';
import { readSnapshot } from '../records/record.ts';
import type { PlannedOperation } from './change-set-plan.ts';

/** The warnings of each planned operation, in their order. */
export const findWarnings = async (
  { references }: Pick<CatalogueReads, 'references'>,
  changeSetId: string,
  planned: readonly PlannedOperation[],
): Promise<string[][]> => {
  const deleted = planned.filter(isDeletedTable).map(({ operation }) => operation.recordId);
  const named = [...new Set(planned.flatMap((each) => findNewTable(each) ?? []))];
  const referring =
    deleted.length === 0 ? [] : await references.findReferring(changeSetId, deleted);
  const users = new Map(referring.map(({ xpId, name }) => [xpId, name]));
  const tables = named.length === 0 ? [] : await references.findTables(named);
  const added = named.length === 0 ? [] : await references.findAdded(changeSetId, named);
  const present = new Set([...tables.filter((table) => !table.deleted), ...added].map(toId));
  return planned.map((each) => {
    const user = isDeletedTable(each) ? users.get(each.operation.recordId) : undefined;
    if (user !== undefined) return [`Items still use this Xp table, for example ${user}.`];
    const table = findNewTable(each);
    return table === undefined || present.has(table)
      ? []
      : [`This sandbox has no Xp table with the id ${table}.`];
  });
};

const toId = ({ xpId }: { xpId: string }): string => xpId;

const isDeletedTable = ({ operation, versions }: PlannedOperation): boolean =>
  operation.kind === 'xp' && versions.at(-1)?.operation === 'delete';

/** The Xp table that the Item will use and does not use yet. */
const findNewTable = ({ operation, before, after }: PlannedOperation): string | undefined => {
  if (operation.kind !== 'item' || after === null || after === before) return undefined;
  const table = readTable(after);
  return before !== null && readTable(before) === table ? undefined : table;
};

const readTable = (snapshot: string): string | undefined =>
  readSnapshot(snapshot).level_xp_table_id as string | undefined;
