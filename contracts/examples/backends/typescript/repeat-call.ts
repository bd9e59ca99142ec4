import { setTimeout as wait } from 'node:timers/promises';
import type { AdminClient, Input, Output, ProcedureName } from '@muster/admin-client';
import { AdminApiError } from '@muster/admin-client';

const ATTEMPTS = 5;

/** Calls that are safe to repeat, even after a lost response. */
export type RepeatableCall = <Name extends ProcedureName>(
  procedure: Name,
  input: Input<Name>,
) => Promise<Output<Name>>;

/** Repeats a call when its response is lost, and when a later attempt may succeed. */
export const createRepeatableCall =
  (muster: AdminClient): RepeatableCall =>
  async (procedure, input) => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await muster.call(procedure, input);
      } catch (error) {
        if (attempt === ATTEMPTS || !isTemporary(error)) throw error;
        const seconds = error instanceof AdminApiError ? (error.retryAfterSeconds ?? 1) : 1;
        await wait(seconds * 1_000);
      }
    }
  };

const isTemporary = (error: unknown): boolean => {
  // The error of `fetch`: there was no response.
  if (!(error instanceof AdminApiError)) return true;
  return error.code === 'session_busy' || [429, 502, 503, 504].includes(error.status);
};

/** Whether the service refused a call with one of these codes. */
export const isRefusal = (error: unknown, ...codes: string[]): error is AdminApiError =>
  error instanceof AdminApiError && codes.includes(error.code);
