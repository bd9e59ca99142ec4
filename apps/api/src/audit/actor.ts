/** Who makes a change, for events and audit records. */
export type Actor = {
  accountId: string;
  requestId?: string;
  /** Network address of the peer. */
  address?: string;
};
