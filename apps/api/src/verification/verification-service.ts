// Checks a stretch of a sandbox's chain; the last stretch also checks what the sandbox and its records say of it.
import { ServiceError } from '../errors/service-error.ts';
import { checkVersion } from './check-version.ts';
import type { Broken, StoredSandbox, StoredVersion } from './stored-version.ts';
import type { ChainSnapshot, VerificationStore } from './verification-store.ts';

export type Verification = {
  /** Everything up to this position is as it was written. */
  checked_to_seq: number;
  head_seq: number;
  /** Hexadecimal. Kept elsewhere, it proves the whole history up to `head_seq`; absent before the first version. */
  head_hash?: string;
  /** True when nothing is left to check, or something is broken. */
  done: boolean;
  broken?: Broken;
};

export type VerificationService = {
  /** Checks up to `limit` versions after this position, fewer where time runs out. Errors: sandbox_not_found. */
  check(sandboxId: string, afterSeq: number, limit: number): Promise<Verification>;
};

/** Snapshots of up to 300 kB each: a few at a time. */
const BATCH = 250;

/** Long stretches of large records end early, so that a call never outlasts the patience of proxies. */
const BUDGET_MS = 3_000;

export const createVerificationService = (store: VerificationStore): VerificationService => ({
  check: (sandboxId, afterSeq, limit) =>
    store.inSnapshot(sandboxId, async (chain) => {
      const sandbox = await chain.readSandbox();
      if (!sandbox) throw new ServiceError('sandbox_not_found');
      const walk = await walkVersions(chain, afterSeq, limit);
      const broken = walk.broken ?? (walk.atEnd ? await checkEnd(chain, sandbox, walk) : null);
      return {
        checked_to_seq: walk.seq,
        head_seq: sandbox.headSeq,
        ...(sandbox.headHash && { head_hash: sandbox.headHash.toString('hex') }),
        done: walk.atEnd || broken !== null,
        ...(broken && { broken }),
      };
    }),
});

type Walk = { seq: number; hash: Buffer | null; atEnd: boolean; broken: Broken | null };

const walkVersions = async (chain: ChainSnapshot, after: number, limit: number): Promise<Walk> => {
  const startedAt = performance.now();
  const hash = await chain.readHash(after);
  if (hash === undefined) {
    const broken = { seq: after, what: 'position', expected: String(after) };
    return { seq: after, hash: null, atEnd: true, broken };
  }
  let walk: Walk = { seq: after, hash, atEnd: false, broken: null };
  while (!walk.atEnd && !walk.broken && walk.seq < after + limit) {
    const size = Math.min(BATCH, after + limit - walk.seq);
    const versions = await chain.readVersions(walk.seq, walk.hash, size);
    walk = { ...checkBatch(walk, versions), atEnd: versions.length < size };
    if (performance.now() - startedAt > BUDGET_MS) break;
  }
  return walk;
};

const checkBatch = (walk: Walk, versions: readonly StoredVersion[]): Walk => {
  let { seq, hash } = walk;
  for (const version of versions) {
    const broken = checkVersion(version, seq);
    if (broken) return { ...walk, seq, hash, broken };
    ({ seq, hash } = version);
  }
  return { ...walk, seq, hash };
};

/** The counters and the head are what totals, cursors and the next write rest on. */
const checkEnd = async (
  chain: ChainSnapshot,
  sandbox: StoredSandbox,
  { seq, hash }: Walk,
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
