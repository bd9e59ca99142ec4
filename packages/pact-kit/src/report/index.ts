// Reports of a verification: for people, for CI systems, for programs.
export {
  allFindings,
  type InteractionReport,
  type InteractionStatus,
  isError,
  type PactReport,
  type ReportSummary,
  summarise,
  type VerificationReport,
} from './verification-report.ts';
export { writeGithub } from './write-github.ts';
export { writeJunit } from './write-junit.ts';
export {
  type Destination,
  REPORTERS,
  type ReportStream,
  readDestinations,
  writeReports,
} from './write-report.ts';
export { describePlace, writeText } from './write-text.ts';
