/** Where tokens come from, for those who keep them themselves. */
export type TokenProvider = {
  /** The token to send now. Called before every request. */
  getToken(): string | Promise<string>;
  /** A new token in place of one that the service did not accept. */
  refreshToken(refused: string): string | Promise<string>;
};

/**
 * A token that never changes, a function, or a provider. The function is called when a token is first
 * needed, and again when the service did not accept the one it gave.
 */
export type TokenOption = string | (() => string | Promise<string>) | TokenProvider;
