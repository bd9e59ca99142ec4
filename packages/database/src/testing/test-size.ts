// Long tests run small with every change and in full among the proofs, from the same file: `*.integration.proof.test.ts`.

/** Set by the project of the proofs. */
export const IS_FULL_SIZE = process.env.TEST_SIZE === 'full';
