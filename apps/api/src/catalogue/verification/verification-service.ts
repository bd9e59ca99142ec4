// Checks a range of a sandbox's chain; the last range also checks the counters of the sandbox and its records.
import type { Semaphore, SerialQueue } from '../../flow/index.ts';
import { createPacer, createSerialQueue } from '../../flow/index.ts';
import { ServiceError } from '../../platform/index.ts';
import { foldName, kindOf, listChangedFields } from '../records/record.ts';
import type {
  ChainSnapshot,
  StoredRecord,
  StoredSandbox,
  StoredVersion,
  VerificationStore,
} from './verification-store.ts';

type Verification = {
  /** Everything up to this position is unchanged. */
  checked_to_seq: number;
  head_seq: number;
  /** Hexadecimal. Stored elsewhere, it proves the whole history up to `head_seq`; absent before the first version. */
  head_hash?: string;
  /** True when nothing is left to check, or something is broken. */
  done: boolean;
  broken?: Broken;
};

/** The first difference from what was written. */
type Broken = {
  /** The position of the difference. */
  seq: number;
  version_id?: string;
  /**
   * `position` (a missing or extra version), `hash` (a changed version), `version_name`, `changed_fields`,
   * `record.<field>` (the record differs from its newest version), `record` (the version has none), `head_seq`,
   * `head_hash`, `item_versions`, `xp_versions`.
   */
  what: string;
  expected?: string;
  found?: string;
};

export type VerificationService = {
  /**
   * Checks up to `limit` versions after this position, or fewer when time runs out or the signal is aborted. Errors:
   * sandbox_not_found, service_unavailable (too many wait).
   */
  check(
    sandboxId: string,
    afterSeq: number,
    limit: number,
    signal?: AbortSignal,
  ): Promise<Verification>;
};

/** Versions may have any size: the first batch has this many, later ones as many as make a megabyte. */
const FIRST_BATCH = 20;
/** The rows of a batch are read from the connection in one step. */
const MAX_BATCH = 100;
const BATCH_LENGTH = 1_048_576;

/** All verifications together leave two thirds of the time to other work. */
const REST = 2;

/** Long ranges of large records end early, so that a call stays within the timeouts of proxies. */
const BUDGET_MS = 3_000;

export const createVerificationService = (
  store: VerificationStore,
  inSlot: Semaphore,
): VerificationService => {
  const serialize = createSerialQueue(REST);
  return {
    check: (sandboxId, afterSeq, limit, signal) =>
      inSlot(
        () =>
          store.inSnapshot(sandboxId, (chain) =>
            checkChain(chain, { afterSeq, limit, signal, serialize }),
          ),
        signal,
      ),
  };
};

type Stretch = {
  afterSeq: number;
  limit: number;
  signal: AbortSignal | undefined;
  serialize: SerialQueue;
};

const checkChain = async (chain: ChainSnapshot, stretch: Stretch): Promise<Verification> => {
  const sandbox = await chain.readSandbox();
  if (!sandbox) throw new ServiceError('sandbox_not_found');
  const progress = await checkVersions(chain, stretch);
  const broken =
    progress.broken ?? (progress.atEnd ? await checkEnd(chain, sandbox, progress) : null);
  return {
    checked_to_seq: progress.seq,
    head_seq: sandbox.headSeq,
    ...(sandbox.headHash && { head_hash: sandbox.headHash.toString('hex') }),
    done: progress.atEnd || broken !== null,
    ...(broken && { broken }),
  };
};

type Progress = { seq: number; hash: Buffer | null; atEnd: boolean; broken: Broken | null };

const checkVersions = async (
  chain: ChainSnapshot,
  { afterSeq: after, limit, signal, serialize }: Stretch,
): Promise<Progress> => {
  const startedAt = performance.now();
  const hash = await chain.readHash(after);
  if (hash === undefined) {
    const broken = { seq: after, what: 'position', expected: String(after) };
    return { seq: after, hash: null, atEnd: true, broken };
  }
  let progress: Progress = { seq: after, hash, atEnd: false, broken: null };
  let batch = FIRST_BATCH;
  while (!progress.atEnd && !progress.broken && progress.seq < after + limit) {
    const size = Math.min(batch, after + limit - progress.seq);
    const versions = await chain.readVersions(progress.seq, progress.hash, size);
    const checked = await checkBatch(progress, versions, serialize);
    progress = { ...checked, atEnd: versions.length < size };
    batch = chooseBatch(versions);
    if (signal?.aborted || performance.now() - startedAt > BUDGET_MS) break;
  }
  return progress;
};

const chooseBatch = (versions: readonly StoredVersion[]): number => {
  const length = versions.reduce((sum, version) => sum + lengthOf(version), 1);
  const fitting = Math.floor((BATCH_LENGTH * versions.length) / length);
  return Math.max(1, Math.min(MAX_BATCH, fitting));
};

const lengthOf = ({ snapshot, previousSnapshot, record }: StoredVersion): number =>
  snapshot.length + (previousSnapshot?.length ?? 0) + record.snapshot.length;

const checkBatch = async (
  progress: Progress,
  versions: readonly StoredVersion[],
  serialize: SerialQueue,
): Promise<Progress> => {
  const left = versions.values();
  const checkSome = (checked: Progress): Progress => {
    let { seq, hash } = checked;
    const pacer = createPacer();
    while (!pacer.isDue()) {
      const { value: version, done } = left.next();
      if (done) return { ...checked, seq, hash, atEnd: true };
      const broken = checkVersion(version, seq);
      if (broken) return { ...checked, seq, hash, broken };
      ({ seq, hash } = version);
    }
    return { ...checked, seq, hash };
  };
  let checked = progress;
  while (!checked.atEnd && !checked.broken) checked = await serialize(() => checkSome(checked));
  return checked;
};

/** Totals, cursors and the next write depend on the counters and the head. */
const checkEnd = async (
  chain: ChainSnapshot,
  sandbox: StoredSandbox,
  { seq, hash }: Progress,
): Promise<Broken | null> => {
  const counted = await chain.countVersions();
  const facts: [what: string, expected: string | number, found: string | number][] = [
    ['head_seq', seq, sandbox.headSeq],
    ['head_hash', hash?.toString('hex') ?? '', sandbox.headHash?.toString('hex') ?? ''],
    ['item_versions', counted.item, sandbox.itemVersions],
    ['xp_versions', counted.xp, sandbox.xpVersions],
  ];
  const wrong = facts.find(([, expected, found]) => expected !== found);
  if (wrong) {
    const [what, expected, found] = wrong;
    return { seq, what, expected: String(expected), found: String(found) };
  }
  const orphan = await chain.findRecordWithoutVersion();
  return orphan && { seq: orphan.headSeq, what: 'record', found: orphan.recordId };
};

/**
 * Checks one stored version: its position, its hash, and its record. Null when all is unchanged. `previousSeq` is 0
 * before the first version.
 */
const checkVersion = (version: StoredVersion, previousSeq: number): Broken | null =>
  checkPosition(version, previousSeq) ?? checkContent(version) ?? checkRecord(version);

const checkPosition = ({ seq: found }: StoredVersion, previousSeq: number): Broken | null => {
  const seq = previousSeq + 1;
  if (found === seq) return null;
  return { seq, what: 'position', expected: String(seq), found: String(found) };
};

const at = ({ seq, versionId }: StoredVersion) => ({ seq, version_id: versionId });

const checkContent = (version: StoredVersion): Broken | null => {
  const { hash, snapshot, versionName } = version;
  const expectedHash = version.computeHash();
  if (!expectedHash.equals(hash)) {
    const [expected, found] = [expectedHash.toString('hex'), hash.toString('hex')];
    return { ...at(version), what: 'hash', expected, found };
  }
  const { name } = JSON.parse(snapshot);
  if (name === versionName) return checkChangedFields(version);
  return { ...at(version), what: 'version_name', expected: name, found: versionName };
};

/** The changed fields of a version are not hashed. Their order is irrelevant. */
const checkChangedFields = (version: StoredVersion): Broken | null => {
  const { kind, previousSnapshot, snapshot, changedFields } = version;
  const changed = listChangedFields(kindOf(kind), previousSnapshot ?? undefined, snapshot);
  const [expected, found] = [changed, changedFields].map((names) => names.toSorted().join(', '));
  if (expected === found) return null;
  return { ...at(version), what: 'changed_fields', expected: expected ?? '', found: found ?? '' };
};

/** The record repeats its newest version without a hash of its own. */
const checkRecord = (version: StoredVersion): Broken | null => {
  if (!version.isNewest) return null;
  const expected = recordOf(version);
  for (const field of Object.keys(expected) as (keyof StoredRecord)[]) {
    const [right, found] = [expected[field], version.record[field]];
    if (right === found) continue;
    const what = `record.${FIELD_NAMES[field]}`;
    // Two whole snapshots do not help in a list; the version and its record can be viewed.
    if (field === 'snapshot') return { ...at(version), what };
    return { ...at(version), what, expected: String(right), found: String(found) };
  }
  return null;
};

const FIELD_NAMES: Record<keyof StoredRecord, string> = {
  headSeq: 'head_seq',
  version: 'version',
  name: 'name',
  foldedName: 'folded_name',
  deleted: 'deleted',
  legacyId: 'legacy_id',
  snapshot: 'snapshot',
};

const recordOf = ({ kind, seq, version, operation, snapshot }: StoredVersion): StoredRecord => {
  const fields = JSON.parse(snapshot);
  const { legacyIdField } = kindOf(kind);
  return {
    headSeq: seq,
    version,
    name: fields.name,
    foldedName: foldName(fields.name),
    deleted: operation === 'delete',
    legacyId: fields[legacyIdField] ?? null,
    snapshot,
  };
};
