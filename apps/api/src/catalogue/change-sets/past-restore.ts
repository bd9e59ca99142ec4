// Makes a change set that returns records to how they were at a moment.
import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import { mapPaced } from '../../flow/index.ts';
import type { Actor } from '../../platform/index.ts';
import type { RecordKind } from '../records/record.ts';
import { foldName, kindOf, readSnapshot, toContainsPattern } from '../records/record.ts';
import type { ChangeSetInputs } from '../records/record-inputs.ts';
import { requireWritable } from '../sandboxes/sandbox-rules.ts';
import type { SetOperation } from './change-set-rules.ts';
import { shortenTitle } from './change-set-rules.ts';
import type { ChangeSetAnswer } from './change-set-service.ts';
import { requireRoom, toChangeSetAnswer } from './change-set-service.ts';
import type { ChangeSetAccess, ChangeSetStore } from './change-set-store.ts';
import type { PastRecord } from './past-store.ts';

type RestoreInput = { sandbox_id: string } & z.output<typeof ChangeSetInputs.restorePast>;

export type PastRestore = {
  /**
   * Makes a draft that restores the records that existed then and match. Records created since then are unchanged.
   * Errors: sandbox_not_found, sandbox_archived, body_too_large.
   */
  restorePast(actor: Actor, input: RestoreInput): Promise<ChangeSetAnswer>;
};

/** Records that are read at once: each has two snapshots of up to a hundred kilobytes. */
const BATCH = 100;
const TIMEOUT_MS = 60_000;

type Sources = { now: () => Date; newId: () => string };

export const createPastRestore = (
  store: Pick<ChangeSetStore, 'inTransaction'>,
  { now, newId }: Sources,
): PastRestore => ({
  async restorePast(actor, input) {
    const { sandbox_id: sandboxId, kind, title, reason = null } = input;
    const at = new Date(input.at);
    const changeSetId = newId();
    const work = async (access: ChangeSetAccess, sandbox: { archived: boolean }) => {
      requireWritable(sandbox);
      await access.create({
        changeSetId,
        title: title ?? 'Restore',
        reason,
        authorId: actor.accountId,
        createdAt: now(),
        revertsTransactionId: null,
      });
      const { operationCount, name } = await addOperations(access, changeSetId, input, at);
      const named = operationCount === 1 ? name : `${operationCount} ${PLURALS[kind]}`;
      const made = await access.change(
        changeSetId,
        { operationCount, title: title ?? shortenTitle(`Restore ${named} to ${writeTime(at)}`) },
        now(),
      );
      const entry = {
        action: 'changeSets.restorePast',
        target: { change_set_id: changeSetId },
        after: { operation_count: operationCount, at: at.toISOString() },
      };
      await access.audit(actor, { ...entry, ...(reason && { reason }) }, now());
      return toChangeSetAnswer(made);
    };
    return store.inTransaction(sandboxId, work, { timeout: TIMEOUT_MS });
  },
});

const PLURALS = { item: 'Items', xp: 'Xp tables' };

/** "2026-11-28 18:00 UTC". */
const writeTime = (at: Date): string => `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** Returns their number, and the name of the last record that changes. */
const addOperations = async (
  access: ChangeSetAccess,
  changeSetId: string,
  { kind, record_ids: recordIds, name = '' }: RestoreInput,
  at: Date,
): Promise<{ operationCount: number; name: string }> => {
  const added = { operationCount: 0, name: '' };
  const moment = await access.findMoment(at);
  if (!moment) return added;
  const folded = foldName(name);
  const query = { kind, moment, recordIds, pattern: toContainsPattern(folded), limit: BATCH };
  let after: string | null = null;
  for (;;) {
    const records: PastRecord[] = await access.readPast({ ...query, after });
    // The database finds records that ever had such a name.
    const matching = records.filter((record) => foldName(record.name).includes(folded));
    const planned = await mapPaced(matching, (record) => {
      const operation = restoreRecord(kindOf(kind), record);
      if (operation) added.name = record.name;
      return operation;
    });
    const operations = planned.filter((operation) => operation !== null);
    added.operationCount += operations.length;
    requireRoom(added.operationCount);
    if (operations.length > 0) await access.putOperations(changeSetId, operations);
    const last = records.at(-1);
    if (!last || records.length < BATCH) return added;
    after = last.recordId;
  }
};

/** Null when the record has its old values again. A legacy id that was set since then is kept. */
const restoreRecord = (
  kind: RecordKind,
  { recordId, old, now }: PastRecord,
): SetOperation | null => {
  const withoutLegacyId = (snapshot: string) => ({
    ...readSnapshot(snapshot),
    [kind.legacyIdField]: undefined,
  });
  const isSame =
    old.snapshot === now.snapshot ||
    isDeepStrictEqual(withoutLegacyId(old.snapshot), withoutLegacyId(now.snapshot));
  if (isSame && !now.deleted) return null;
  return {
    kind: kind.kind,
    recordId,
    operation: 'restore',
    baseVersion: now.version,
    fields: null,
    versionId: old.versionId,
  };
};
