// Committed results of verifications, and the decision that rests on them.
export { type Decision, decideByResults } from './decide.ts';
export {
  LAST_RUN_NAME,
  readResultFiles,
  writeResultFiles,
} from './result-files.ts';
