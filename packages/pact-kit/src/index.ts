// @muster/pact-kit: verification of consumer pacts as a library; the program muster-pact is made of the same parts.
export type { Finding, Place, Severity } from './findings.ts';
export { Problem } from './findings.ts';
export type {
  ProviderStateName,
  ProviderStateParameters,
} from './provider-states/resolve-state.ts';
export type {
  InteractionReport,
  InteractionStatus,
  PactReport,
  ReportSummary,
  VerificationReport,
} from './report/verification-report.ts';
export { type VerifyOptions, verify } from './verify.ts';
