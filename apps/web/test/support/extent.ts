// The extent of a test run. The proofs also run each flow with the keyboard only and on a phone, which `npm test` leaves out.
import { test } from 'vitest';

let isFull = false;

/** Only for `*.proof.test.ts`. Call it before importing the tests to repeat. */
export const coverInFull = (): void => {
  isFull = true;
};

export const coversInFull = (): boolean => isFull;

/** Runs only in the proofs: rare cases, and other ways to perform what other tests cover. */
export const testInFull = (name: string, run: () => Promise<void>, timeoutMs?: number): void => {
  (isFull ? test : test.skip)(name, run, timeoutMs);
};

/** `npm test` runs only the first of several similar cases. */
export const firstOf = <Case>(cases: readonly Case[]): readonly Case[] =>
  isFull ? cases : cases.slice(0, 1);
