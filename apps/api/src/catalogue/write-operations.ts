// One write, inside its transaction: read what it names, decide, append, leave the audit record.
import type { Actor, AuditEntry } from '../audit/index.ts';
import type { CatalogueTransaction } from './catalogue-store.ts';
import type { WriteContext, WritePlan } from './plan-write.ts';
import { planWrite } from './plan-write.ts';
import type { SandboxAuthority } from './protected-sandbox.ts';
import { isDestructive, requireAuthority } from './protected-sandbox.ts';
import type { RecordKind } from './record-kind.ts';
import type { OperationType, RecordOperation } from './record-operation.ts';
import { givenLegacyId } from './record-operation.ts';
import type { NewVersion, RecordState } from './record-state.ts';

export type Write = {
  actor: Actor;
  sandboxId: string;
  procedure: OperationType | 'bulk';
  operations: RecordOperation[];
  reason: string | undefined;
  authority: SandboxAuthority;
};

export type WriteSources = { now: () => Date; newId: () => string };

/** A write that changes nothing writes nothing, no audit record either. */
export const writeOperations = async (
  kind: RecordKind,
  transaction: CatalogueTransaction,
  { actor, sandboxId, procedure, operations, reason, authority }: Write,
  sources: WriteSources,
): Promise<WritePlan> => {
  if (operations.some(({ type }) => isDestructive(type))) {
    requireAuthority(transaction.sandbox, authority);
  }
  const context = await readWriteContext(kind, transaction, operations, sources);
  const plan = planWrite(context, operations, procedure === 'bulk');
  const [first] = plan.versions;
  if (!first) return plan;
  const entry = describeWrite(kind, procedure, first.state, plan.versions, context.stored);
  await commitVersions(transaction, context, plan.versions, actor, {
    ...entry,
    sandboxId,
    ...(reason && { reason }),
  });
  return plan;
};

/** Everything that deciding these operations needs, read under the sandbox's lock. */
export const readWriteContext = async (
  kind: RecordKind,
  transaction: CatalogueTransaction,
  operations: readonly RecordOperation[],
  sources: WriteSources,
): Promise<WriteContext> => ({
  ...openWriteContext(kind, transaction, sources),
  ...(await findStored(kind, transaction, operations)),
});

/** A context that knows no record yet. */
export const openWriteContext = (
  kind: RecordKind,
  { head }: CatalogueTransaction,
  { now, newId }: WriteSources,
): WriteContext => ({
  ...{ kind, newId, stored: [], findVersion: () => undefined },
  headSeq: head.seq,
  issuedAt: notBefore(head.issuedAt, now()),
  transactionId: newId(),
});

/** Appends decided versions, at least one, with their audit record. */
export const commitVersions = async (
  transaction: CatalogueTransaction,
  { kind, issuedAt }: Pick<WriteContext, 'kind' | 'issuedAt'>,
  versions: readonly NewVersion[],
  actor: Actor,
  entry: AuditEntry,
): Promise<void> => {
  const { accountId } = actor;
  await transaction.append({ kind: kind.kind, accountId, issuedAt, versions });
  await transaction.audit(actor, entry, issuedAt);
};

const findStored = async (
  kind: RecordKind,
  transaction: CatalogueTransaction,
  operations: readonly RecordOperation[],
) => {
  const recordIds = operations.map(({ recordId }) => recordId);
  const legacyIds = operations.flatMap((operation) => givenLegacyId(kind, operation) ?? []);
  const versionIds = operations.flatMap((operation) =>
    operation.type === 'restore' ? (operation.versionId ?? []) : [],
  );
  const stored = await transaction.findRecords(kind.kind, recordIds, legacyIds);
  const older = await transaction.findVersions(kind.kind, versionIds);
  const snapshots = new Map(
    older.map(({ recordId, versionId, snapshot }) => [`${recordId} ${versionId}`, snapshot]),
  );
  const findVersion = (recordId: string, versionId: string) =>
    snapshots.get(`${recordId} ${versionId}`);
  return { stored, findVersion };
};

/** A clock that was set back, or another process's slower one, must not make times run against positions. */
const notBefore = (previous: Date | undefined, now: Date): Date =>
  previous !== undefined && previous > now ? previous : now;

const describeWrite = (
  kind: RecordKind,
  procedure: Write['procedure'],
  state: RecordState,
  versions: readonly NewVersion[],
  stored: readonly { recordId: string; version: number; versionId: string }[],
): AuditEntry => {
  const action = `${kind.plural}.${procedure}`;
  const after = { transaction_id: state.transactionId };
  if (procedure === 'bulk') {
    const recordIds = [...new Set(versions.map((version) => version.state.recordId))];
    return { action, target: { [`${kind.idField}s`]: recordIds }, after };
  }
  const before = stored.find(({ recordId }) => recordId === state.recordId);
  return {
    action,
    target: { [kind.idField]: state.recordId },
    ...(before && { before: { version: before.version, version_id: before.versionId } }),
    after: { ...after, version: state.version, version_id: state.versionId },
  };
};
