/** What a run knows about the service under test. */
export type TargetSettings = {
  baseUrl: URL;
  /** A token with all permissions; without it a signing secret is needed. */
  token?: string;
  /** The secret that HS256 tokens are signed with; every kind of caller can be made with it. */
  secret?: string;
  issuer?: string;
  audience?: string;
  /** How the service was configured: whether the histories need a credential. */
  historyAccess: 'authenticated' | 'public';
};
