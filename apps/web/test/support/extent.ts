// How much of a subject a run covers. `npm test`: what guards it every day. The proofs: also each flow by keyboard alone and on a phone.
import { test } from 'vitest';

let isFull = false;

/** For `*.proof.test.ts` only, before they import the tests that they repeat. */
export const coverInFull = (): void => {
  isFull = true;
};

export const coversInFull = (): boolean => isFull;

/** Left out every day: another way to do what other tests guard, or what seldom happens. */
export const testInFull = (name: string, run: () => Promise<void>, timeoutMs?: number): void => {
  (isFull ? test : test.skip)(name, run, timeoutMs);
};

/** Every day the first one of cases that differ little. */
export const firstOf = <Case>(cases: readonly Case[]): readonly Case[] =>
  isFull ? cases : cases.slice(0, 1);
