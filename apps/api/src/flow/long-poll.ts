/**
 * Runs a wait outside of the limits for requests in progress. The signal is aborted when the client disconnects and when
 * the service stops. Checks the credential again after the wait, unless it was aborted. Errors: `service_unavailable` when
 * too many requests wait, and those of the credential.
 */
export type LongPoll = (wait: (signal: AbortSignal) => Promise<void>) => Promise<{
  /** The wait was aborted, so nothing needs to be read again. */
  isCut: boolean;
}>;
