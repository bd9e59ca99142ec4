import type { Aliases } from './aliases.ts';
import type { ServiceClient } from './service-client.ts';

/** What the states of one interaction share. */
export type StateContext = {
  aliases: Aliases;
  service: ServiceClient;
  /** Sandboxes that were made for the interaction, under the ids that the service knows. */
  sandboxes: Set<string>;
  /** Sessions that were made for it, to be ended after it. */
  sessions: { type: string; session_id: string }[];
};
