// What a provider state is: a name, parameters with defaults, and what its use promises of an answer.
import type { z } from 'zod';

/** Written out, since the published types cannot refer to the contract. */
export type OperationName =
  | 'listItemHistory'
  | 'listXpHistory'
  | 'joinByPlatformSession'
  | 'readSession'
  | 'listPlayerSessions'
  | 'leaveSession';

/** All of a guarantee's conditions must hold. Names inside parameters and bodies are joined by dots. */
export type Condition =
  /** A parameter of the state was given, at any depth: `instance.version`. */
  | { given: string }
  /** The request carries the field: `body.custom_data`, `query.player_id`. */
  | { sent: string }
  /** No player is invited or reserved, neither in the state nor by the request. */
  | { noHeldSeats: true }
  /** The player of the request is the only one in the session. */
  | { onlyPlayer: true }
  /** The state makes more versions than one page of the request holds. */
  | { morePages: true };

/** Optional fields of a successful answer that a consumer may rely on while the state is in use. */
export type Guarantee = {
  operations: readonly OperationName[];
  /** Fields of the body, such as `teams[*].players[*].joined`. */
  paths: readonly string[];
  when: readonly Condition[];
  because: string;
};

/**
 * Parameters that the response contains under their own name: every field inside them is guaranteed.
 * `to` is the path in the response; the empty string is the body itself.
 */
export type Echo = {
  operations: readonly OperationName[];
  parameters: readonly string[];
  to: string;
};

/** Lists of a successful response that have elements while the state is in use: an empty one is not what the pact is about. */
export type Elements = { operations: readonly OperationName[]; paths: readonly string[] };

type Definition<Name extends string, Parameters extends z.ZodObject> = {
  name: Name;
  description: string;
  parameters: Parameters;
  /** Parameters that take their default from the path of the interaction's request, by path parameter. */
  fromPath: Readonly<Record<string, string>>;
  example: z.input<Parameters>;
};

type Promises = {
  guarantees: readonly Guarantee[];
  echoes: readonly Echo[];
  elements: readonly Elements[];
};

/** Keeps the literal name and the exact parameters of a definition. */
export const defineState = <Name extends string, Parameters extends z.ZodObject>(
  definition: Definition<Name, Parameters> & Partial<Promises>,
): Definition<Name, Parameters> & Promises => ({
  guarantees: [],
  echoes: [],
  elements: [],
  ...definition,
});

// The values that a state takes where neither the consumer nor the path of the request names one.
export const EXAMPLE_PLATFORM_SESSION_ID = 'bXVzdGVyLXNlc3Npb24';
export const EXAMPLE_SESSION_TYPE = 'match';
export const EXAMPLE_SESSION_ID = 'session-1';
export const EXAMPLE_PLAYER_UUID = '5f0c8f2e-3f4b-4d65-9d0a-1c1f5f2b7a01';
export const EXAMPLE_SANDBOX_ID = '0b9f2c1e-6a53-4e0b-8f57-2f6f0d3c9a10';
export const EXAMPLE_ITEM_ID = '7d1a2b3c-4e5f-4a6b-8c7d-9e0f1a2b3c4d';
export const EXAMPLE_XP_ID = '2c4e6a8b-0d1f-4e3a-9b5c-7d8e9f0a1b2c';
