// How much of a subject a run covers. `npm test`: what guards it every day. The proofs: also each flow by keyboard alone and on a phone.

let isFull = false;

/** For `*.proof.test.ts` only, before they import the tests that they repeat. */
export const coverInFull = (): void => {
  isFull = true;
};

export const coversInFull = (): boolean => isFull;
