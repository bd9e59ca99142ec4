// The limits of webhooks.

/** One process reads the feed for each of them. */
export const MAX_ENDPOINTS = 20;
/** Events of one session in one request. */
export const EVENTS_PER_DELIVERY = 100;
/** Read from the feed at once. A larger page would delay joins of the same process by some milliseconds. */
export const EVENTS_PER_STEP = 200;
/** Requests to one endpoint at a time. */
export const IN_FLIGHT = 8;
/** Beyond it, the feed is not read for the endpoint. The feed keeps its events for 7 days. */
export const MAX_PENDING = 20_000;
/** The same for audit records: the next page is read once the previous one has been delivered. */
export const MAX_PENDING_AUDIT = 1;
/** From the resolution of the name to the end of the response. */
export const DEADLINE_MS = 15_000;
/** One step of the dispatcher for an endpoint in the database. */
export const EXCHANGE_MS = 10_000;
/** Longer than a step and the deadline together, so that a delivery is never sent by two processes at a time. */
export const LEASE_MS = 30_000;
/** What is kept of a response. */
export const RESPONSE_BYTES = 1_024;
export const KEPT_DELIVERIES = 10_000;
export const KEPT_MS = 7 * 24 * 60 * 60_000;
/** An endpoint is disabled when a delivery has failed for this time. */
export const RETRIED_MS = 3 * 24 * 60 * 60_000;
