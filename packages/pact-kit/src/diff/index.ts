// Compares contracts: what breaks, and which interactions of which pacts.
export type { ContractChange, ContractDiff } from './diff-contracts.ts';
export { diffContracts } from './diff-contracts.ts';
export { loadContract } from './load-contract.ts';
