// A write to a sandbox that requires a review: its changes are stored as a change set in review, and no record is written.
import { createHash } from 'node:crypto';
import type { Actor } from '../../platform/index.ts';
import { ServiceError } from '../../platform/index.ts';
import type { CatalogueTransaction } from '../edits/catalogue-store.ts';
import type { NewVersion, RecordOperation } from '../edits/edit-rules.ts';
import { kindOf, pickGiven, readSnapshot } from '../records/record.ts';
import type { SetOperation } from './change-set-rules.ts';
import { MAX_OPERATIONS, shortenTitle } from './change-set-rules.ts';

/** What is written, for the title of the change set and its reason. */
export type HeldWrite = {
  /** Begins the title of many changes, such as "Import". */
  what: string;
  /** Of the change set. Default: made of `what` and the changes. */
  title?: string | undefined;
  reason: string | undefined;
  /** Whether the change set needs authority in a protected sandbox. */
  isGuarded?: boolean;
  /**
   * The call as it was sent. Absent if the planned changes identify it. A call that names no id makes another one for each
   * new record, so its changes do not.
   */
  call?: unknown;
  /** The versions to which restores return, by record. */
  restored?: ReadonlyMap<string, string> | undefined;
};

type Hold = {
  add(versions: readonly NewVersion[]): Promise<void>;
  /** `name` is that of the first record. */
  addOperations(operations: readonly SetOperation[], name: string): Promise<void>;
  /**
   * Returns the error that names the change set; throw it after the commit. Undefined when there were no changes. Throws
   * the error with the earlier change set, which rolls this one back, when the same call already waits.
   */
  finish(): Promise<ServiceError | undefined>;
};

type HoldOptions = {
  actor: Actor;
  sandboxId: string;
  write: HeldWrite;
  now: () => Date;
  newId: () => string;
};

export const createHold = (
  {
    changeSets,
    sandbox: { requiredApprovals },
  }: Pick<CatalogueTransaction, 'changeSets' | 'sandbox'>,
  { actor, sandboxId, write, now, newId }: HoldOptions,
): Hold => {
  const changeSetId = newId();
  const digest = createHash('sha256').update(
    JSON.stringify([actor.accountId, write.what, write.reason, write.call]),
  );
  const seen = new Set<string>();
  let [first, operationCount]: [FirstChange | undefined, number] = [undefined, 0];

  const create = () =>
    changeSets.create({
      changeSetId,
      title: write.what,
      reason: write.reason ?? null,
      revertsTransactionId: null,
      authorId: actor.accountId,
      createdAt: now(),
      isGuarded: write.isGuarded ?? false,
    });

  const addOperations: Hold['addOperations'] = async (operations, name) => {
    const [one] = operations;
    if (!one) return;
    if (!first) await create();
    first ??= { operation: one.operation, name };
    operationCount += operations.length;
    if (operationCount > MAX_OPERATIONS) throw notStored(TOO_MANY);
    for (const { kind, recordId } of operations) {
      if (seen.has(`${kind} ${recordId}`)) throw notStored(TWICE);
      seen.add(`${kind} ${recordId}`);
    }
    if (write.call === undefined) digest.update(JSON.stringify(operations));
    for (let at = 0; at < operations.length; at += BATCH) {
      await changeSets.putOperations(changeSetId, operations.slice(at, at + BATCH));
    }
  };

  return {
    addOperations,

    async add(versions) {
      const [one] = versions;
      if (one) await addOperations(toSetOperations(versions, write.restored), one.state.name);
    },

    async finish() {
      if (!first) return undefined;
      const callDigest = digest.digest('hex');
      const earlier = await changeSets.review.findWaiting(callDigest);
      if (earlier !== null) throw waiting(sandboxId, earlier, requiredApprovals);
      const title = write.title ?? describeWrite(write.what, first, operationCount);
      const members = { title, state: 'in_review', operationCount, callDigest } as const;
      await changeSets.change(changeSetId, members, now());
      const entry = {
        action: 'changeSets.submit',
        target: { change_set_id: changeSetId },
        after: { title, operation_count: operationCount },
        ...(write.reason !== undefined && { reason: write.reason }),
      };
      await changeSets.audit(actor, entry, now());
      return waiting(sandboxId, changeSetId, requiredApprovals);
    },
  };
};

/** The versions to which restores return, by record. */
export const listRestored = (operations: readonly RecordOperation[]): Map<string, string> =>
  new Map(
    operations.flatMap((operation) =>
      operation.type === 'restore' && operation.versionId !== undefined
        ? [[operation.recordId, operation.versionId] as const]
        : [],
    ),
  );

/** Operations in one statement. */
const BATCH = 1_000;

const TOO_MANY = `It has more than ${MAX_OPERATIONS} changes`;
const TWICE = 'It changes a record twice';

const waiting = (sandboxId: string, changeSetId: string, requiredApprovals: number): ServiceError =>
  new ServiceError('review_required', {
    facts: {
      sandbox_id: sandboxId,
      change_set_id: changeSetId,
      required_approvals: requiredApprovals,
    },
  });

const notStored = (why: string): ServiceError =>
  new ServiceError('review_required', {
    desc: `The sandbox requires approvals. ${why}, so it cannot become a change set. Nothing was changed. Split the call.`,
  });

type FirstChange = { operation: SetOperation['operation']; name: string };

const VERBS = { create: 'Create', update: 'Change', delete: 'Delete', restore: 'Restore' };

/** The title of a change set that the service makes of a write. */
export const describeWrite = (what: string, first: FirstChange, count: number): string =>
  shortenTitle(
    count === 1
      ? `${VERBS[first.operation]} ${first.name}`
      : `${what} of ${count.toLocaleString('en')} records`,
  );

/** One operation for each record, with the same effect as its versions. Errors: review_required, when there is none. */
const toSetOperations = (
  versions: readonly NewVersion[],
  restored: ReadonlyMap<string, string> = new Map(),
): SetOperation[] => {
  const ofRecords = Map.groupBy(versions, ({ kind, state }) => `${kind} ${state.recordId}`);
  return [...ofRecords.values()].map((own) => toSetOperation(own, restored));
};

const toSetOperation = (
  own: readonly NewVersion[],
  restored: ReadonlyMap<string, string>,
): SetOperation => {
  const [one] = own;
  const last = own.at(-1);
  if (!one || !last) throw new Error('A group has at least one version.');
  const { kind: kindName, operation, state } = one;
  const isOneStep = own.length === 1 || own.slice(1).every((each) => each.operation === 'update');
  const isMerged = operation === 'insert' || operation === 'update';
  if (!isOneStep || (own.length > 1 && !isMerged)) throw notStored(TWICE);
  const kind = kindOf(kindName);
  const fields = readSnapshot(last.state.snapshot);
  const base = {
    kind: kindName,
    recordId: state.recordId,
    baseVersion: operation === 'insert' ? null : state.version - 1,
    fields: null,
    versionId: null,
  };
  switch (operation) {
    case 'insert':
      return { ...base, operation: 'create', fields: pickGiven(kind, fields) };
    case 'update': {
      const changed = new Set(own.flatMap(({ changedFields }) => changedFields));
      const named = Object.fromEntries([...changed].map((field) => [field, fields[field] ?? null]));
      return { ...base, operation: 'update', fields: named };
    }
    case 'delete':
      return { ...base, operation: 'delete' };
    case 'restore':
      return {
        ...base,
        operation: 'restore',
        versionId: restored.get(state.recordId) ?? null,
      };
  }
};
