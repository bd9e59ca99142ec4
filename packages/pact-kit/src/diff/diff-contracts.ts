// What a new contract breaks, and whom: oasdiff says what, the static check under both contracts says whom.
import type { PactFile, PactInteraction } from '../pact-file.ts';
import { explains } from './explains.ts';
import type { BrokenInteraction } from './find-broken.ts';
import { findBroken } from './find-broken.ts';
import type { BreakingChange } from './find-changes.ts';
import { findBreakingChanges } from './find-changes.ts';

export type ContractChange = BreakingChange & { breaks: BrokenInteraction[] };

export type ContractDiff = {
  changes: ContractChange[];
  /** Every interaction that was green and is red. */
  broken: BrokenInteraction[];
  /** Those of them that no change of the list accounts for. */
  unexplained: BrokenInteraction[];
};

/**
 * Compares two OpenAPI 3.1 documents. Whether the new one breaks anybody is `broken`; whether it breaks the interface,
 * whoever uses it, is a change of severity `error`. Errors: Problem.
 */
export const diffContracts = async (
  before: object,
  after: object,
  pacts: readonly PactFile[] = [],
): Promise<ContractDiff> => {
  const found = await findBreakingChanges(before, after);
  const broken = findBroken(before, after, pacts);
  const changes = found.map((change) => ({
    ...change,
    breaks: broken.filter((one) => isBrokenBy(change, one)),
  }));
  const explained = new Set(changes.flatMap(({ breaks }) => breaks));
  return { changes, broken, unexplained: broken.filter((one) => !explained.has(one)) };
};

const isBrokenBy = (change: BreakingChange, broken: BrokenInteraction): boolean =>
  (change.operationId === undefined || change.operationId === broken.operationId) &&
  speaksOfStatus(change, broken.interaction) &&
  broken.findings.some((finding) => explains(change, finding));

/** A change of the answer to one status breaks only those who expect that status. */
const speaksOfStatus = ({ text }: BreakingChange, { content }: PactInteraction): boolean => {
  const statuses = [...text.matchAll(/`(\d{3})`/g)].map(([, status]) => Number(status));
  const { response } = content as { response?: { status?: unknown } };
  return statuses.length === 0 || statuses.includes(Number(response?.status ?? 200));
};
