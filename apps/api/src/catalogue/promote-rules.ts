// Decides in memory what a promotion would write in the target, or why a record cannot be promoted.
import { createPacer } from '../flow/index.ts';
import { ServiceError } from '../platform/index.ts';
import type { SourceRecord } from './compare-store.ts';
import type { NewVersion, RecordOperation, RecordState, WriteContext } from './edit-rules.ts';
import { listOperationsTo, planWrite } from './edit-rules.ts';
import type { RecordKind } from './record.ts';
import { readSnapshot } from './record.ts';

export type PromotedVersion = {
  version: NewVersion;
  /** The target's previous record; null when it had none, or a deleted one. */
  before: string | null;
};

export type RefusedRecord = { recordId: string; name: string | undefined; error: ServiceError };

export type Promotion = { versions: PromotedVersion[]; refused: RefusedRecord[] };

export type PromotionSources = {
  recordIds: readonly string[];
  source: ReadonlyMap<string, SourceRecord>;
  reason: string | undefined;
};

/**
 * Records keep their ids. A record that the target deleted is restored, one that the source deleted is deleted. A
 * legacy id that the source lacks is kept; one that the target cannot accept refuses the record. Records are
 * independent of each other, since legacy ids never move.
 */
export const planPromotion = async (
  context: WriteContext,
  { recordIds, source, reason }: PromotionSources,
): Promise<Promotion> => {
  const { kind, stored } = context;
  const targets = new Map(stored.map((state) => [state.recordId, state]));
  const holders = new Map(stored.map((state) => [state.legacyId, state]));
  const promotion: Promotion = { versions: [], refused: [] };
  const pacer = createPacer();
  for (const recordId of new Set(recordIds)) {
    if (pacer.isDue()) await pacer.rest();
    const record = source.get(recordId);
    const target = targets.get(recordId);
    try {
      if (!record) throw new ServiceError('record_not_found', { desc: NOT_IN_SOURCE });
      const operations = listOperations(kind, record, target, reason);
      const holder = holders.get(legacyIdOf(kind, record));
      const concerned = [...new Set([target, holder])].filter((state) => state !== undefined);
      const headSeq = context.headSeq + promotion.versions.length;
      const { versions } = planWrite({ ...context, stored: concerned, headSeq }, operations, false);
      promotion.versions.push(...withStatesBefore(versions, target));
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      promotion.refused.push({ recordId, name: (record ?? target)?.name, error });
    }
  }
  return promotion;
};

const NOT_IN_SOURCE = 'Only in the target sandbox; nothing to promote.';

export const legacyIdOf = (kind: RecordKind, { snapshot }: SourceRecord): number | undefined =>
  readSnapshot(snapshot)[kind.legacyIdField] as number | undefined;

const listOperations = (
  kind: RecordKind,
  source: SourceRecord,
  target: RecordState | undefined,
  reason: string | undefined,
): RecordOperation[] => {
  const { recordId } = source;
  const fields = readSnapshot(source.snapshot);
  if (source.deleted) {
    return !target || target.deleted
      ? []
      : [{ type: 'delete', recordId, reason, expectedVersion: target.version }];
  }
  return listOperationsTo(kind, { recordId, fields, reason }, target);
};

const withStatesBefore = (
  versions: readonly NewVersion[],
  target: RecordState | undefined,
): PromotedVersion[] =>
  versions.map((version, index) => {
    const before = index === 0 ? target : versions[index - 1]?.state;
    return { version, before: before && !before.deleted ? before.snapshot : null };
  });
