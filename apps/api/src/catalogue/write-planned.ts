// Writes a plan of any length that somebody was shown: exactly that, or nothing.
import type { Actor } from '../audit/index.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { CatalogueTransaction } from './catalogue-store.ts';
import type { CatalogueWriter } from './catalogue-writer.ts';
import { planWrite } from './plan-write.ts';
import type { SandboxAuthority } from './protected-sandbox.ts';
import { requireAuthority } from './protected-sandbox.ts';
import type { RecordKind } from './record-kind.ts';
import type { RecordOperation } from './record-operation.ts';
import type { WriteSources } from './write-operations.ts';
import { readWriteContext } from './write-operations.ts';

export type PlannedWrite = {
  kind: RecordKind;
  actor: Actor;
  sandboxId: string;
  /** As the audit record names it, such as `import`. */
  procedure: string;
  operations: readonly RecordOperation[];
  reason: string | undefined;
  /** The head that the plan was made on: whoever wrote since then makes it outdated. */
  expectedHeadSeq: number;
  /** True where a protected sandbox asks for the authority. */
  destructive: boolean;
  authority: SandboxAuthority;
};

/** Without `transactionId` when nothing was changed. */
export type PlannedAnswer = { headSeq: number; transactionId?: string };

/** Errors: sandbox_not_found, import_outdated, sandbox_protected, sandbox_confirmation_required. */
export type PlannedWriter = (planned: PlannedWrite) => Promise<PlannedAnswer>;

/** Between two chunks the process answers other requests. */
const CHUNK = 500;

/** Generous: what counts is that a stuck transaction ends at all. */
const MS_PER_OPERATION = 5;
const MIN_TIMEOUT_MS = 20_000;

/** The audit record of a larger write counts the records; its transaction id finds them. */
const MAX_AUDITED_IDS = 1_000;

export const createPlannedWriter =
  (write: CatalogueWriter, sources: WriteSources): PlannedWriter =>
  (planned) =>
    write(
      planned.sandboxId,
      (transaction) => writeChunks(transaction, planned, sources),
      MIN_TIMEOUT_MS + planned.operations.length * MS_PER_OPERATION,
    );

const writeChunks = async (
  transaction: CatalogueTransaction,
  planned: PlannedWrite,
  sources: WriteSources,
): Promise<PlannedAnswer> => {
  const { kind, actor, operations } = planned;
  if (transaction.head.seq !== planned.expectedHeadSeq) throw new ServiceError('import_outdated');
  if (planned.destructive) requireAuthority(transaction.sandbox, planned.authority);
  const transactionId = sources.newId();
  const recordIds = new Set<string>();
  for (let at = 0; at < operations.length; at += CHUNK) {
    const chunk = operations.slice(at, at + CHUNK);
    const context = await readWriteContext(kind, transaction, chunk, sources);
    const { versions } = planWrite({ ...context, transactionId }, chunk, false);
    if (versions.length === 0) continue;
    const isFirst = recordIds.size === 0;
    for (const { state } of versions) recordIds.add(state.recordId);
    const { issuedAt } = context;
    const { accountId } = actor;
    await transaction.append({ kind: kind.kind, accountId, issuedAt, versions });
    if (isFirst && operations.length > CHUNK) await transaction.refreshStatistics();
  }
  if (recordIds.size === 0) return { headSeq: transaction.head.seq };
  await auditWrite(transaction, planned, [...recordIds], transactionId, sources.now());
  return { headSeq: transaction.head.seq, transactionId };
};

const auditWrite = (
  transaction: CatalogueTransaction,
  { kind, actor, sandboxId, procedure, reason }: PlannedWrite,
  recordIds: string[],
  transactionId: string,
  now: Date,
) => {
  const isListed = recordIds.length <= MAX_AUDITED_IDS;
  const entry = {
    action: `${kind.plural}.${procedure}`,
    sandboxId,
    target: isListed ? { [`${kind.idField}s`]: recordIds } : { records: recordIds.length },
    after: { transaction_id: transactionId },
    ...(reason && { reason }),
  };
  return transaction.audit(actor, entry, now);
};
