import type { Platform, Role } from '@muster/contract';

/** Who sends a request, as the verified credential says. With neither `person` nor `key` it is a token. */
export type Caller = {
  /** For a player the player UUID, for a service or an admin its account id. */
  accountId: string;
  permissions: readonly string[];
  /** The platform that the token's issuer vouches for. */
  platform?: Platform;
  /** A person who is signed in with a cookie. */
  person?: SignedInPerson;
  /** The API key of a service account. */
  key?: { keyId: string; sandboxIds?: readonly string[] };
};

export type SignedInPerson = {
  /** Tells this sign-in from the person's others. */
  signInId: string;
  name: string;
  email: string;
  role: Role;
  /** Absent: every sandbox. */
  sandboxIds?: readonly string[];
  /** Until the password is changed, nothing but `me.get` answers. */
  mustChangePassword: boolean;
  twoFactorEnabled: boolean;
};

/** The only sandboxes that the role or the key is for; absent where it is for every one. */
export const narrowingOf = ({ person, key }: Caller): readonly string[] | undefined =>
  person?.sandboxIds ?? key?.sandboxIds;
