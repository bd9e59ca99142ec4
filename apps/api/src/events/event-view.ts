// An event as callers of the feed and receivers of webhooks see it.
import type { StoredEvent } from './feed-store.ts';

/** Absent members are absent, and the key of a session is internal. */
export const toEventView = (event: StoredEvent) => ({
  event_id: event.event_id,
  occurred_at: event.occurred_at,
  kind: event.kind,
  account_id: event.account_id,
  ...(event.type !== undefined && { type: event.type }),
  ...(event.session_id !== undefined && { session_id: event.session_id }),
  ...(event.session_version != null && { session_version: event.session_version }),
  ...(event.player_uuid != null && { player_uuid: event.player_uuid }),
  ...(event.detail != null && { detail: event.detail }),
  ...(event.sandbox_id !== undefined && { sandbox_id: event.sandbox_id }),
  ...(event.change_set_id !== undefined && { change_set_id: event.change_set_id }),
  ...(event.transaction_id !== undefined && { transaction_id: event.transaction_id }),
  ...(event.items !== undefined && { items: event.items }),
  ...(event.xp !== undefined && { xp: event.xp }),
  ...(event.webhook_id !== undefined && { webhook_id: event.webhook_id }),
});
