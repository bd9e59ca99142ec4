// How much of a subject a run covers: `npm test` what guards it every day, the proofs all of it.

let isFull = false;

/** For `*.proof.test.ts` only, before they import the tests that they repeat. */
export const coverInFull = (): void => {
  isFull = true;
};

export const coversInFull = (): boolean => isFull;
