// @muster/conformance: a black-box suite that proves any base URL against the interface.

export type { CaseResult, RunOptions } from './runner.ts';
export { closingLine, runCase, runCases } from './runner.ts';
export { suite } from './suite.ts';
export { cleanUp } from './target/clean-up.ts';
export type { Case, Target, TargetSettings } from './target/context.ts';
export { createTarget } from './target/context.ts';
export { closeConnections } from './target/send-request.ts';
