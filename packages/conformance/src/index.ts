// @muster/conformance: a black-box suite that proves any base URL against the interface.
export type { Case } from './case.ts';
export type { CaseResult, RunOptions } from './runner.ts';
export { runCase, runCases } from './runner.ts';
export { suite } from './suite.ts';
export { closingLine } from './summary.ts';
export { closeConnections } from './target/send-request.ts';
export type { TargetSettings } from './target/settings.ts';
export type { Target } from './target/target.ts';
export { createTarget } from './target/target.ts';
