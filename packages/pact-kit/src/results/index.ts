// Committed results of verifications, and the decision that rests on them.
export { type Decision, decideByResults } from './decide.ts';
export {
  digestPact,
  LAST_RUN_NAME,
  type ResultFile,
  readResultFiles,
  writeResultFiles,
} from './result-files.ts';
