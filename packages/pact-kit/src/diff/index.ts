// Compares contracts: what breaks, and which interactions of which pacts.
export type { ContractChange, ContractDiff } from './diff-contracts.ts';
export { diffContracts } from './diff-contracts.ts';
export type { BrokenInteraction } from './find-broken.ts';
export type { BreakingChange } from './find-changes.ts';
export { loadContract } from './load-contract.ts';
