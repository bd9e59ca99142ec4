import type { Platform } from '@muster/contract';

/** Who sends a request, as the verified credential says. */
export type Caller = {
  /** For a player the player UUID, for a service or an admin its account id. */
  accountId: string;
  permissions: readonly string[];
  /** The platform that the token's issuer vouches for. */
  platform?: Platform;
};
