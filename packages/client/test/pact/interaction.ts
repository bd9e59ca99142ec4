// One interaction of the pact: what is given, what the client is asked to do, and what answers.
import type { JsonMap } from '@pact-foundation/pact/src/common/jsonTypes.js';
import type { MusterClient } from '../../src/index.ts';
import { JSON_TYPE, RETRY_AFTER } from './matchers.ts';

export type Interaction = {
  description: string;
  states: readonly [name: string, parameters?: JsonMap][];
  /** Sends no Authorization header. */
  isAnonymous?: true;
  request: {
    method: 'GET' | 'POST';
    path: string;
    query?: Record<string, string | string[]>;
    body?: unknown;
  };
  response: { status: number; headers: Record<string, unknown>; body: unknown };
  call(client: MusterClient): Promise<unknown>;
  /** What the call comes to: a part of its value, or of the error that it rejects with. */
  outcome: object;
};

export const refuse = (status: number, body: unknown): Interaction['response'] => ({
  status,
  headers: { 'Content-Type': JSON_TYPE, ...(status === 409 && { 'Retry-After': RETRY_AFTER }) },
  body,
});
