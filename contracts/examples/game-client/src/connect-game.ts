import type { MusterClient, MusterClientOptions } from '@muster/client';
import { createMusterClient } from '@muster/client';

/** The player sees a spinner during this time, so it is much shorter than half a minute. */
const PATIENCE_MS = 8_000;
const ATTEMPT_MS = 4_000;

export type GameConnection = Pick<MusterClientOptions, 'baseUrl' | 'fetch'> & {
  /** Gets a token from the game's own sign-in: at first, and whenever the service refuses the last one. */
  signIn: () => Promise<string>;
};

/**
 * The client repeats a join after `session_busy`, `service_overloaded`, `rate_limited` and a lost response, as
 * long as the player's patience lasts. It signs in again when a token was not accepted.
 */
export const connectGame = ({ signIn, ...connection }: GameConnection): MusterClient =>
  createMusterClient({
    ...connection,
    token: signIn,
    timeoutMs: ATTEMPT_MS,
    retry: { budgetMs: PATIENCE_MS },
  });
