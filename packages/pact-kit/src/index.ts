// @muster/pact-kit: verification of consumer pacts as a library; the program muster-pact is made of the same parts.
export type { Finding, Place, Severity } from './finding.ts';
export { Problem } from './problem.ts';
export type { ProviderStateName, ProviderStateParameters } from './provider-states/index.ts';
export type {
  InteractionReport,
  InteractionStatus,
  PactReport,
  ReportSummary,
  VerificationReport,
} from './report/index.ts';
export { type VerifyOptions, verify } from './verify.ts';
