// Makes a change set that gives records of a sandbox the values that they have in another one.
import type { Prisma } from '@muster/database';
import type { z } from 'zod';
import type { Semaphore } from '../../flow/index.ts';
import { mapPaced } from '../../flow/index.ts';
import type { Actor } from '../../platform/index.ts';
import { ServiceError } from '../../platform/index.ts';
import type { CompareStore } from '../compare/compare-store.ts';
import type { RecordState } from '../edits/edit-rules.ts';
import type { RecordKind } from '../records/record.ts';
import { kindOf, readSnapshot, XP } from '../records/record.ts';
import type { ChangeSetInputs } from '../records/record-inputs.ts';
import type { OpenSandbox } from '../sandboxes/sandbox-rules.ts';
import { requireWritable } from '../sandboxes/sandbox-rules.ts';
import type { SetOperation } from './change-set-rules.ts';
import { listPatch, MAX_OPERATIONS, shortenTitle } from './change-set-rules.ts';
import type { ChangeSetAnswer } from './change-set-service.ts';
import { requireRoom, toChangeSetAnswer } from './change-set-service.ts';
import type { ChangeSetAccess, ChangeSetStore } from './change-set-store.ts';

type PromoteInput = { sandbox_id: string; source_sandbox_id: string } & z.output<
  typeof ChangeSetInputs.promote
>;

export type Promotion = {
  /**
   * Makes a draft. Errors: sandbox_not_found, sandbox_archived, body_too_large, input_invalid (the same sandbox twice),
   * service_unavailable (too many wait).
   */
  promote(actor: Actor, input: PromoteInput, signal?: AbortSignal): Promise<ChangeSetAnswer>;
};

/** Records that are read at once: each has a snapshot of up to a hundred kilobytes in each sandbox. */
const BATCH = 100;
const TIMEOUT_MS = 120_000;

type Parts = {
  sets: Pick<ChangeSetStore, 'inTransaction'>;
  compare: Pick<CompareStore, 'findSource' | 'readPage'>;
  longReads: Semaphore;
  now: () => Date;
  newId: () => string;
};

export const createPromotion = ({ sets, compare, longReads, now, newId }: Parts): Promotion => {
  const listIds = async (
    input: PromoteInput,
    transaction: Prisma.TransactionClient,
  ): Promise<string[]> => {
    const { sandbox_id: target, source_sandbox_id: source, kind, record_ids, status } = input;
    if (record_ids) return [...new Set(record_ids)];
    const ids: string[] = [];
    for (const each of status ? [status] : PROMOTABLE) {
      const pair = { target, source, kind };
      const rows = await compare.readPage(pair, each, null, MAX_OPERATIONS + 1, transaction);
      ids.push(...rows.map(({ record_id }) => record_id));
    }
    requireRoom(ids.length);
    return ids;
  };

  return {
    async promote(actor, input, signal) {
      const { sandbox_id: sandboxId, source_sandbox_id: sourceId, reason = null } = input;
      if (sandboxId === sourceId) {
        throw new ServiceError('input_invalid', { desc: 'Name two different sandboxes.' });
      }
      const changeSetId = newId();
      const work = async (
        access: ChangeSetAccess,
        sandbox: OpenSandbox,
        transaction: Prisma.TransactionClient,
      ) => {
        requireWritable(sandbox);
        const source = await compare.findSource(sourceId, transaction);
        if (!source) throw new ServiceError('sandbox_not_found');
        const recordIds = await listIds(input, transaction);
        await access.create({
          changeSetId,
          title: input.title ?? shortenTitle(`Promotion from ${source.name}`),
          reason,
          authorId: actor.accountId,
          createdAt: now(),
          revertsTransactionId: null,
          // The source accepted the values: what does not fit the schemas of the target is a warning.
          checksSchemas: false,
          isGuarded: true,
        });
        const notInSource = `Only in ${sandbox.name}; nothing to promote.`;
        await addOperations(access, { changeSetId, recordIds, notInSource }, input);
        const operationCount = await access.countOperations(changeSetId);
        requireRoom(operationCount);
        const made = await access.change(changeSetId, { operationCount }, now());
        const entry = {
          action: 'changeSets.promote',
          target: { change_set_id: changeSetId },
          after: {
            operation_count: operationCount,
            source_sandbox_id: sourceId,
            source_head_seq: Number(source.headSeq),
          },
        };
        await access.audit(actor, { ...entry, ...(reason && { reason }) }, now());
        return toChangeSetAnswer(made);
      };
      // Everything is read at one moment, so that no edit of the source is promoted in part.
      const make = () =>
        sets.inTransaction(sandboxId, work, {
          timeout: TIMEOUT_MS,
          isolationLevel: 'RepeatableRead',
        });
      // Waits before it has a connection: waiting with one could deadlock the pool.
      return input.record_ids ? make() : longReads(make, signal);
    },
  };
};

/** The differences of a comparison that a promotion can remove. */
const PROMOTABLE = ['only_source', 'different'] as const;

const addOperations = async (
  access: ChangeSetAccess,
  planned: { changeSetId: string; recordIds: readonly string[]; notInSource: string },
  { source_sandbox_id: sourceId, kind: kindName, include_referenced }: PromoteInput,
): Promise<void> => {
  const { changeSetId, recordIds, notInSource } = planned;
  const kind = kindOf(kindName);
  const plan = async (ofKind: RecordKind, ids: string[]) => {
    const source = await readById(access, ofKind, ids, sourceId);
    const target = await readById(access, ofKind, ids);
    const operations = await mapPaced(ids, (id) => {
      const record = source.get(id);
      return record
        ? planPromotion(ofKind, record, target.get(id))
        : { ...toUpdate(ofKind, id, target.get(id)), problem: notInSource };
    });
    return { source, target, operations: operations.filter((operation) => operation !== null) };
  };
  const put = async (operations: readonly SetOperation[]) => {
    if (operations.length > 0) await access.putOperations(changeSetId, operations);
  };
  const seen = new Set<string>();
  for (let at = 0; at < recordIds.length; at += BATCH) {
    const { source, operations } = await plan(kind, recordIds.slice(at, at + BATCH));
    if (include_referenced && kindName === 'item') {
      const tablesOf = ({ recordId }: SetOperation) => listTables(source.get(recordId));
      const named = [...new Set(operations.flatMap(tablesOf))].filter((id) => !seen.has(id));
      for (const id of named) seen.add(id);
      const tables = await plan(XP, named);
      const isLacking = ({ recordId }: SetOperation) =>
        tables.source.get(recordId)?.deleted === false &&
        tables.target.get(recordId)?.deleted !== false;
      // Before the Items: at no position of the history does an Item lack its table.
      await put(tables.operations.filter(isLacking));
    }
    await put(operations);
  }
};

const readById = async (
  access: ChangeSetAccess,
  { kind }: RecordKind,
  ids: string[],
  sandboxId?: string,
): Promise<Map<string, RecordState>> => {
  const states = ids.length === 0 ? [] : await access.findRecords(kind, ids, sandboxId);
  return new Map(states.map((state) => [state.recordId, state]));
};

const listTables = (item: RecordState | undefined): string[] => {
  const table = item && !item.deleted ? readSnapshot(item.snapshot).level_xp_table_id : undefined;
  return typeof table === 'string' ? [table] : [];
};

const toUpdate = (
  { kind }: RecordKind,
  recordId: string,
  target: RecordState | undefined,
): SetOperation => ({
  kind,
  recordId,
  operation: 'update',
  baseVersion: target?.version ?? null,
  fields: null,
  versionId: null,
});

/**
 * Null when both are the same. A record that the target deleted is restored, one that the source deleted is deleted. A legacy
 * id that the source lacks is kept.
 */
const planPromotion = (
  kind: RecordKind,
  source: RecordState,
  target: RecordState | undefined,
): SetOperation | null => {
  const update = toUpdate(kind, source.recordId, target);
  if (source.deleted) {
    return !target || target.deleted ? null : { ...update, operation: 'delete' };
  }
  const before = target ? readSnapshot(target.snapshot) : {};
  const fields = listPatch(kind, before, readSnapshot(source.snapshot));
  if (!target) return { ...update, operation: 'create', fields };
  const hasChanges = Object.keys(fields).length > 0;
  if (target.deleted) {
    return { ...update, operation: 'restore', fields: hasChanges ? fields : null };
  }
  return hasChanges ? { ...update, fields } : null;
};
