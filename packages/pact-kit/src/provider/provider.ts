// A service to verify against: where it answers, and how to sign for it.

export type Provider = {
  /** Without a slash at the end. */
  url: string;
  /** HS256 secret that the service accepts. */
  secret: string;
  issuer?: string;
  audience?: string;
  /** What the service last said, for an error report; empty for a service that we did not start. */
  lastOutput: () => string;
  /** Ends what was started. Safe to call twice. */
  stop: () => Promise<void>;
};
