// Reports of a verification: for people, for CI systems, for programs.
export {
  type InteractionReport,
  type InteractionStatus,
  isError,
  type PactReport,
  type ReportSummary,
  summarise,
  type VerificationReport,
} from './verification-report.ts';
export {
  readDestinations,
  writeReports,
} from './write-report.ts';
export { describePlace } from './write-text.ts';
