// Finds references that a promotion would leave dangling: Items of the target with an Xp table that it does not have.
// Xp tables have no references, so that included tables need nothing further.
import { toWrittenUuid } from '@muster/contract';
import { ServiceError } from '../platform/index.ts';
import type { CatalogueTransaction } from './catalogue-store.ts';
import type { SourceRecord } from './compare-store.ts';
import type { WriteContext } from './edit-rules.ts';
import { hasSnapshot, PAGE_BYTES } from './pagination.ts';
import type { PromotedVersion, Promotion, PromotionSources } from './promote-rules.ts';
import { legacyIdOf, planPromotion } from './promote-rules.ts';
import { readSnapshot, XP } from './record.ts';

/** An Xp table that the target would not have, and the Items that would refer to it. */
export type DanglingReference = {
  xp_id: string;
  /** Its last name in the source, or in the target; absent when neither has ever had it. */
  name?: string;
  /** The source has, or had, the table. */
  in_source: boolean;
  /** It can be included in the promotion, and then nothing dangles. */
  can_include: boolean;
  /** The reason why it cannot. */
  desc?: string;
  /** At least one. */
  items: { item_id: string; name: string }[];
  /** True when there are more than those listed. */
  more_items?: true;
};

type Origin = { sandboxId: string; headSeq: number };

type References = {
  dangling: DanglingReference[];
  /** The versions that including them would write, from the head of the target on. */
  tables: PromotedVersion[];
};

/** Runs under the lock of the target: its tables and references cannot change before the promotion is written. */
export const findReferences = async (
  transaction: CatalogueTransaction,
  context: WriteContext,
  promotion: Promotion,
  origin: Origin,
  input: PromotionSources,
): Promise<References> =>
  context.kind.kind === 'item'
    ? findMissingTables(transaction, context, listReferences(promotion, input), origin, input)
    : { dangling: await findAbandonedItems(transaction, promotion), tables: [] };

type Referring = DanglingReference['items'];

/** The promoted Items, by the Xp tables that they will refer to. */
const listReferences = (
  { versions }: Promotion,
  { recordIds, source }: PromotionSources,
): Map<string, Referring> => {
  const written = new Set(versions.map(({ version }) => version.state.recordId));
  const references = new Map<string, Referring>();
  for (const recordId of new Set(recordIds)) {
    const record = source.get(recordId);
    if (!record || record.deleted || !written.has(recordId)) continue;
    const named = readSnapshot(record.snapshot).level_xp_table_id as string | undefined;
    if (named === undefined) continue;
    const xpId = toWrittenUuid(named);
    const items = references.get(xpId) ?? [];
    items.push({ item_id: recordId, name: record.name });
    references.set(xpId, items);
  }
  return references;
};

const findMissingTables = async (
  transaction: CatalogueTransaction,
  context: WriteContext,
  references: ReadonlyMap<string, Referring>,
  origin: Origin,
  { reason }: PromotionSources,
): Promise<References> => {
  if (references.size === 0) return { dangling: [], tables: [] };
  const { findTables, findTablesAt } = transaction.references;
  const had = new Map((await findTables([...references.keys()])).map((each) => [each.xpId, each]));
  const missing = [...references].filter(([xpId]) => had.get(xpId)?.deleted !== false);
  if (missing.length === 0) return { dangling: [], tables: [] };
  const ids = missing.map(([xpId]) => xpId);
  const found = await findTablesAt(origin.sandboxId, ids, origin.headSeq);
  const states = new Map(found.map((state) => [state.recordId, state]));
  const obstacles = new Map(ids.map((id) => [id, findObstacle(states.get(id))]));
  const alive = found.filter(hasSnapshot).filter(({ deleted }) => !deleted);
  const { versions, refused } = await planTables(transaction, context, alive, reason);
  for (const { recordId, error } of refused) obstacles.set(recordId, error.message);
  const dangling = missing.map(([xp_id, items]): DanglingReference => {
    const name = states.get(xp_id)?.name ?? had.get(xp_id)?.name;
    const desc = obstacles.get(xp_id);
    return {
      xp_id,
      ...(name !== undefined && { name }),
      in_source: states.has(xp_id),
      can_include: desc === undefined,
      ...(desc !== undefined && { desc }),
      items,
    };
  });
  return { dangling, tables: versions };
};

const TOO_LARGE =
  'The Xp tables are too large to be included together; promote this one by itself.';

const findObstacle = (
  state: { deleted: boolean; snapshot: string | null } | undefined,
): string | undefined => {
  if (!state) return 'It does not exist in the source sandbox.';
  if (state.deleted) return 'It is also deleted in the source sandbox.';
  return state.snapshot === null ? TOO_LARGE : undefined;
};

const planTables = async (
  transaction: CatalogueTransaction,
  context: WriteContext,
  tables: readonly SourceRecord[],
  reason: string | undefined,
): Promise<Promotion> => {
  if (tables.length === 0) return { versions: [], refused: [] };
  const recordIds = tables.map(({ recordId }) => recordId);
  const legacyIds = tables.flatMap((table) => legacyIdOf(XP, table) ?? []);
  if ((await transaction.measureRecords('xp', recordIds, legacyIds)) > PAGE_BYTES) {
    const error = new ServiceError('body_too_large', { desc: TOO_LARGE });
    return {
      versions: [],
      refused: tables.map(({ recordId, name }) => ({ recordId, name, error })),
    };
  }
  const stored = await transaction.findRecords('xp', recordIds, legacyIds);
  const source = new Map(tables.map((table) => [table.recordId, table]));
  return planPromotion({ ...context, kind: XP, stored }, { recordIds, source, reason });
};

/** The total number of listed Items, with at least one per Xp table. */
const MAX_LISTED_ITEMS = 1_000;

/** The Items of the target whose Xp tables the promotion deletes. */
const findAbandonedItems = async (
  transaction: CatalogueTransaction,
  { versions }: Promotion,
): Promise<DanglingReference[]> => {
  const deleted = versions.filter(({ version }) => version.operation === 'delete');
  if (deleted.length === 0) return [];
  const ids = deleted.map(({ version }) => version.state.recordId);
  const listed = Math.max(1, Math.floor(MAX_LISTED_ITEMS / ids.length));
  const found = await transaction.references.findReferring(ids, listed + 1);
  const items = Map.groupBy(found, ({ xpId }) => xpId);
  return deleted.flatMap(({ version: { state } }) => {
    const referring = items.get(state.recordId);
    if (!referring) return [];
    return [
      {
        xp_id: state.recordId,
        name: state.name,
        in_source: true,
        can_include: false,
        desc: 'The promotion deletes it.',
        items: referring.slice(0, listed).map(({ itemId, name }) => ({ item_id: itemId, name })),
        ...(referring.length > listed && { more_items: true as const }),
      },
    ];
  });
};

const REMEDY = 'Include the referenced tables, or allow dangling references.';

type Choice = { includeReferenced: boolean; allowDangling: boolean };

/** Returns the Xp tables that Items will refer to and the target lacks. Errors: references_dangling. */
export const refuseDangling = (
  dangling: readonly DanglingReference[],
  { includeReferenced, allowDangling }: Choice,
): DanglingReference[] => {
  const left = dangling.filter(({ can_include }) => !(includeReferenced && can_include));
  const [first] = left;
  if (!first || allowDangling) return left;
  const { xp_id, items, name = xp_id } = first;
  const [item] = items;
  const others = left.length > 1 ? `, and ${left.length - 1} more Xp tables would be missing` : '';
  throw new ServiceError('references_dangling', {
    desc: `${item?.name}: the target would not have its Xp table ${name}${others}. ${REMEDY}`,
    facts: { xp_id, ...(item && { item_id: item.item_id }), dangling_xp_tables: left.length },
  });
};
